import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { program } from '../harness/program.ts';

const BEGAN_MS = Date.parse('2026-11-20T10:00:00Z');

/** A hub whose clock is faster than the world's, and goes on while its process is gone. */
export interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** When its clock began, in the world. */
  readonly worldMs: number;
  readonly speed: number;
}

/** The time of such a hub now. */
export function nowAt({ worldMs, speed }: Place): number {
  return BEGAN_MS + (Date.now() - worldMs) * speed;
}

export async function startFast({ env, worldMs, speed }: Place): Promise<ChildProcess> {
  const child = fork(
    await program('conformance/time/_fastHub.ts'),
    [BEGAN_MS, worldMs, speed].map(String),
    {
      env: { ...process.env, ...env, HUB_LOG: 'fatal', HUB_RATE_LIMITS: 'false' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const failed = once(child, 'exit').then(() => assert.fail('the hub did not start'));
  await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => undefined);
  return child;
}

/** SIGKILL: no handler runs, nothing is flushed. Resolves when the process is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
