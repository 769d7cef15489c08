import { spawn, type ChildProcess } from 'node:child_process';
import { program } from '../../harness/program.ts';

/** The hub as a process of its own, so that it can be killed as a machine kills it. */
export interface HubProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** SIGKILL: no handler runs, nothing is flushed. Resolves when the process is gone. */
  kill(): Promise<void>;
}

const START_MS_MAX = 60_000;
const POLL_MS = 20;

export async function startProcess(
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<HubProcess> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [await program('server/main.ts')], {
    env: { ...process.env, ...env, HUB_PORT: String(port), HUB_LOG: 'fatal' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await ready(url, child);
  return {
    url,
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const attempts = START_MS_MAX / POLL_MS;
  for (let n = 0; n < attempts && child.exitCode === null; n += 1) {
    const answered = await fetch(`${url}/api/v1`).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  child.kill('SIGKILL');
  throw new Error(`the hub did not start (exit code ${child.exitCode})`);
}
