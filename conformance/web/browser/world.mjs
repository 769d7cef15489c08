import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, root, startHub } from '../../kinds/dredd/hub.mjs';
import { openSlowModel } from './slowModel.mjs';

/**
 * A hub with scripted agents, a listed agent (the reference MCP server, at a pair it may call), a
 * model that answers word by word, an endpoint that accepts every case, and two spare ports.
 */
const LISTED_MS_MAX = 60_000;
const LOOK_MS = 500;

export async function startWorld() {
  const endpoint = await openVerdicts();
  // One for each agent: submitting an origin again delays its next look.
  const [strangersPort, hostilePort] = [await freePort(), await freePort()];
  const model = await openSlowModel();
  const hub = await startHub({
    allow: [
      endpoint.pair,
      model.pair,
      ...[strangersPort, hostilePort].map((free) => `127.0.0.1:${free}`),
    ],
    settings: { HUB_SANDBOX_AGENTS: 'true', HUB_MODEL_UPSTREAMS: model.file },
  });
  if (hub.judge === undefined) throw new Error('the pages are tested on a hub of their own');
  const [, port] = hub.judge.split(':');
  const script = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  const agent = spawn(process.execPath, [script, 'streamableHttp'], {
    // One of its tools returns its environment to any caller.
    env: { PORT: port },
    stdio: 'ignore',
  });
  const close = async () => {
    const gone = once(agent, 'exit');
    agent.kill('SIGKILL');
    await gone;
    await hub.stop();
    endpoint.close();
    model.close();
  };
  try {
    await listed(hub.url, `http://${hub.judge}/mcp`);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: hub.url,
    agent: `http://${hub.judge}/mcp`,
    verdicts: endpoint.url,
    strangersPort,
    hostilePort,
    errors: hub.errors,
    close,
  };
}

async function openVerdicts() {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ verdict: 'accepted', reason: 'Everything is accepted here.' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pair = `127.0.0.1:${server.address().port}`;
  return { pair, url: `http://${pair}/verdict`, close: () => server.close() };
}

/** Submits the agent once it answers, and waits until the crawler has looked at it. */
async function listed(url, endpoint) {
  await until(() =>
    fetch(endpoint, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    ),
  );
  const body = JSON.stringify({ url: endpoint });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/api/v1/mcp-servers`, { method: 'POST', headers, body });
  const { host } = new URL(endpoint);
  await until(async () => {
    const { agents } = await (await fetch(`${url}/api/v1/agents`)).json();
    return agents.some(({ origin }) => origin.includes(host));
  });
}

async function until(holds) {
  const deadline = performance.now() + LISTED_MS_MAX;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the crawler listed no agent');
    await sleep(LOOK_MS);
  }
}
