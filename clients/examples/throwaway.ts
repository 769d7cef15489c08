import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './freePort.ts';

/** A hub of one's own for the length of a script: a free port, an empty database, test money. */
export interface ThrowawayHub {
  readonly baseUrl: string;
  /** Stops the process; its database stays. Throws when it did not end well. */
  stop(): Promise<void>;
  /** Starts a command of `hub`, whose output is handed over line by line. */
  command(words: readonly string[], hear: (line: string) => void): ChildProcess;
  /** Runs `hubctl audit` over the database, in a process of its own. */
  audit(): Promise<{ readonly code: number; readonly text: string }>;
  /** Stops what runs and deletes the data. */
  discard(): Promise<void>;
}

const ROOT = resolve(import.meta.dirname, '../..');
const READY_WITHIN_MS = 30_000;
const ASK_EVERY_MS = 50;

/** The built hub when it was built; `--source` runs the sources. */
function command(name: string): readonly string[] {
  const built = join(ROOT, 'dist/server', `${name}.js`);
  if (existsSync(built) && !process.argv.includes('--source')) return [built];
  return ['--import', 'tsx', join(ROOT, 'server', `${name}.ts`)];
}

/** `openedPairs` are private `host:port` pairs that it may call. */
export async function throwawayHub(openedPairs: readonly string[] = []): Promise<ThrowawayHub> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-exchange-'));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  // The surroundings may hold settings of another hub, and an unknown one stops the start.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('HUB_'));
  const env = {
    ...Object.fromEntries(others),
    FAUCET_ENABLED: 'true',
    HUB_PORT: String(port),
    HUB_DATA_DIR: folder,
    HUB_LOG: 'error',
    HUB_ALLOW_PRIVATE_HOSTS: openedPairs.join(','),
  };
  const start = (name: string, ...words: readonly string[]): ChildProcess =>
    spawn(process.execPath, [...command(name), ...words], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });

  const child = start('main');
  child.stdout?.resume();
  const ended = new Promise<number>((done) => child.on('exit', (code) => done(code ?? 1)));
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    const code = await ended;
    if (code !== 0) throw new Error(`the hub ended with code ${code}`);
  };
  const discard = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const audit = async (): Promise<{ readonly code: number; readonly text: string }> => {
    const process = start('cli', 'audit');
    let text = '';
    process.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const code = await new Promise<number>((done) => process.on('close', (it) => done(it ?? 1)));
    return { code, text };
  };
  try {
    await ready(baseUrl, child);
  } catch (error) {
    await discard();
    throw error;
  }
  const runCommand: ThrowawayHub['command'] = (words, hear) => {
    const started = start('cli', ...words);
    if (started.stdout !== null) createInterface({ input: started.stdout }).on('line', hear);
    return started;
  };
  return { baseUrl, stop, command: runCommand, audit, discard };
}

async function ready(baseUrl: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + READY_WITHIN_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error('the hub did not start');
    try {
      if ((await fetch(`${baseUrl}/api/v1`)).ok) return;
    } catch {
      // Not listening yet.
    }
    await sleep(ASK_EVERY_MS);
  }
  throw new Error(`the hub did not answer within ${READY_WITHIN_MS} ms`);
}
