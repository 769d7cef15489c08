import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../freePort.ts';

/** The reference server of the MCP project, unchanged, in a process of its own. */
export interface Everything {
  /** Its endpoint, with the sessions of the handshake era. */
  readonly endpoint: string;
  readonly pair: string;
  close(): Promise<void>;
}

const START_TRIES_MAX = 1_200;
const START_STEP_MS = 25;

export async function startEverything(): Promise<Everything> {
  const main = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  );
  const port = await freePort();
  const server = spawn(process.execPath, [main, 'streamableHttp'], {
    // One of its tools returns its environment to any caller.
    env: { PORT: String(port) },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  for (let attempt = 0; ; attempt += 1) {
    const isUp = await fetch(url, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (attempt === START_TRIES_MAX || server.exitCode !== null) {
      server.kill();
      throw new Error('the reference server did not start');
    }
    await sleep(START_STEP_MS);
  }
  return {
    endpoint: url,
    pair: `127.0.0.1:${port}`,
    async close() {
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
    },
  };
}
