import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Servers of a run, each the child of a shell that waits for its own input to end. The system ends
 * that input whichever way the run dies, so no server outlives it.
 */
export interface Daemon {
  readonly pid: number;
  readonly log: string;
  isRunning(): boolean;
  /** SIGTERM, and waits for the end. */
  end(): Promise<void>;
  /** SIGKILL: no handler runs, nothing is flushed. */
  kill(): Promise<void>;
}

export interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs as the caller. PostgreSQL and Patroni refuse root, so the others run without rights. */
  readonly asCaller?: boolean;
}

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const PID_TRIES_MAX = 400;
const PID_STEP_MS = 25;
const RUN_MS_MAX = 120_000;
const READY_MS_MAX = 60_000;
const READY_STEP_MS = 50;
const KEEPER = `
  log=$1; shift
  exec 3<&0
  "$@" </dev/null >>"$log" 2>&1 3<&- &
  server=$!
  echo "$server"
  { cat <&3 >/dev/null; kill -TERM "$server"; } &
  guard=$!
  wait "$server"
  kill "$guard"`;

/** Creates a folder that the servers of a run may write. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-cluster-'));
  await give(folder);
  return folder;
}

export async function subfolder(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { mode: 0o700 });
  await give(path);
  return path;
}

export async function give(path: string): Promise<void> {
  if (isRoot) await chown(path, NOBODY, NOBODY);
}

export async function startDaemon(program: Program): Promise<Daemon> {
  const { name, command, folder, env = {}, asCaller = false } = program;
  const log = join(folder, `${name}.log`);
  const keeper = spawn('sh', ['-c', KEEPER, 'keeper', log, ...command], {
    ...(isRoot && !asCaller && { uid: NOBODY, gid: NOBODY }),
    detached: true,
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: asCaller
      ? { ...process.env, ...env }
      : { PATH: process.env['PATH'], HOME: folder, ...env },
  });
  const pid = await pidOf(keeper);
  const gone = once(keeper, 'exit').then(() => void keeper.stdin?.end());
  const isRunning = (): boolean => keeper.exitCode === null && keeper.signalCode === null;
  const stop = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (isRunning()) send(pid, signal);
    await gone;
  };
  return {
    pid,
    log,
    isRunning,
    end: () => stop('SIGTERM'),
    kill: () => stop('SIGKILL'),
  };
}

async function pidOf(keeper: ChildProcess): Promise<number> {
  let text = '';
  keeper.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  for (let tries = 0; tries < PID_TRIES_MAX && !text.includes('\n'); tries += 1) {
    await sleep(PID_STEP_MS);
  }
  const pid = Number(text);
  if (!Number.isSafeInteger(pid) || pid === 0) throw new Error('a server did not start');
  return pid;
}

/** Sends a signal; a process that is gone is no error. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export async function childrenOf(parent: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [, own] = /\) \S (\d+) /.exec(text) ?? [];
      return Number(own) === parent ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

export async function run(
  [program = '', ...words]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { env: { ...process.env, ...env }, timeout: RUN_MS_MAX };
  return (await promisify(execFile)(program, words, options)).stdout;
}

/** Waits until something is found, or holds, and throws what is missing when it takes too long. */
export async function until<T>(
  what: string,
  find: () => Promise<T | false>,
  { ms = READY_MS_MAX, stepMs = READY_STEP_MS } = {},
): Promise<T> {
  for (const end = performance.now() + ms; ;) {
    const found = await find().catch(() => false as const);
    if (found !== false) return found;
    if (performance.now() > end) throw new Error(`waited ${ms / 1000} s for this: ${what}`);
    await sleep(stepMs);
  }
}
