import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../clients/examples/freePort.ts';

const START_MS_MAX = 300_000;
const POLL_MS = 100;

/** The official registry program on a database, with what it shall import before it listens. */
export interface Program {
  readonly url: string;
  readonly pair: string;
  stop(): Promise<void>;
}

export async function startProgram(database: string, seed = ''): Promise<Program> {
  const port = await freePort();
  const pair = `127.0.0.1:${port}`;
  const child = spawn(process.env['OFFICIAL_PROGRAM'] ?? '', [], {
    env: {
      PATH: process.env['PATH'],
      MCP_REGISTRY_SERVER_ADDRESS: pair,
      MCP_REGISTRY_DATABASE_URL: database,
      MCP_REGISTRY_SEED_FROM: seed,
      MCP_REGISTRY_ENABLE_REGISTRY_VALIDATION: 'false',
      MCP_REGISTRY_JWT_PRIVATE_KEY: '00'.repeat(32),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (more: Buffer) => (log = (log + more.toString()).slice(-4_000)));
  }
  const url = `http://${pair}`;
  if (!(await answers(`${url}/v0.1/servers?limit=1`, child))) {
    child.kill('SIGKILL');
    throw new Error(`the registry program did not start:\n${log}`);
  }
  if (/Failed to (?:create|import)/.test(log)) throw new Error(`it did not import all:\n${log}`);
  return {
    url,
    pair,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  for (let waited = 0; waited < START_MS_MAX; waited += POLL_MS) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return true;
    if (child.exitCode !== null) return false;
    await sleep(POLL_MS);
  }
  return false;
}
