import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The project's folder and a hub to ask, for tools from outside. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

const START_MS_MAX = 60_000;
const STOP_MS_MAX = 10_000;
const POLL_MS = 50;
/** pino's number for `error`; the hub logs at it only what it must not do. */
const ERROR_LEVEL = 50;

/**
 * Starts a hub on a free port with a database in memory, no rate limits and checked answers, or
 * takes the one at HUB_URL as it is. `judge` is a local pair that it may call; `settings` are more
 * variables of its environment, `port` one to start again at.
 */
export async function startHub({ allow = [], settings = {}, port: chosen } = {}) {
  const given = process.env.HUB_URL;
  if (given !== undefined)
    return { url: given.replace(/\/+$/, ''), errors: () => [], stop: () => {} };
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-conformance-'));
  const port = chosen ?? (await freePort());
  const judge = `127.0.0.1:${await freePort()}`;
  const url = `http://127.0.0.1:${port}`;
  const hub = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], {
    cwd: root,
    env: {
      ...withoutHubSettings(process.env),
      FAUCET_ENABLED: 'true',
      HUB_PORT: String(port),
      HUB_DATABASE_URL: 'sqlite::memory:',
      HUB_DATA_DIR: dataDir,
      HUB_LOG: 'error',
      HUB_RATE_LIMITS: 'false',
      HUB_CHECK_ANSWERS: 'true',
      HUB_ALLOW_PRIVATE_HOSTS: [judge, ...allow].join(','),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [hub.stdout, hub.stderr]) stream.on('data', (text) => (log += text));
  const stop = async () => {
    if (hub.exitCode === null && hub.signalCode === null) {
      const gone = once(hub, 'exit');
      hub.kill('SIGINT');
      const late = setTimeout(() => hub.kill('SIGKILL'), STOP_MS_MAX);
      await gone;
      clearTimeout(late);
    }
    rmSync(dataDir, { recursive: true, force: true });
  };
  if (!(await answers(`${url}/api/v1`, hub))) {
    await stop();
    throw new Error(`the hub did not start:\n${log.slice(-2_000)}`);
  }
  return { url, judge, errors: () => errorsIn(log), stop };
}

function errorsIn(log) {
  return log.split('\n').filter((line) => {
    try {
      return JSON.parse(line).level >= ERROR_LEVEL;
    } catch {
      return false;
    }
  });
}

/** An unknown HUB_ name stops the hub, and a known one would make this run another one. */
function withoutHubSettings(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('HUB_')));
}

async function answers(url, hub) {
  for (let waited = 0; waited < START_MS_MAX; waited += POLL_MS) {
    const up = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return true;
    if (hub.exitCode !== null) return false;
    await sleep(POLL_MS);
  }
  return false;
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
