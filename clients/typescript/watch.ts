import type { paths } from '../../generated/types.ts';
import type { Hub } from './hub.ts';
import { unwrap } from './refusal.ts';
import { pause } from './retry.ts';
import type { Success } from './routes.ts';

export type WatchedTask = Success<paths['/api/v1/tasks/{id}']['get']>;

export interface WatchOptions {
  /** Pause between two looks, 2000 when absent. */
  readonly intervalMs?: number;
  /** Ends the watching; the iterator then just ends. */
  readonly signal?: AbortSignal;
}

const INTERVAL_MS = 2000;
const FINAL: readonly WatchedTask['state'][] = ['paid', 'refunded', 'withdrawn', 'expired'];

export function isFinal({ state }: Pick<WatchedTask, 'state'>): boolean {
  return FINAL.includes(state);
}

/** A task now and at each change of it, until it is final. Throws HubRefusal. */
export async function* watchTask(
  hub: Hub,
  id: string,
  { intervalMs = INTERVAL_MS, signal = new AbortController().signal }: WatchOptions = {},
): AsyncGenerator<WatchedTask> {
  let seen = '';
  while (!signal.aborted) {
    const params = { path: { id } };
    const task = unwrap(await hub.GET('/api/v1/tasks/{id}', { params, signal }));
    const now = `${task.state} ${task.history.length} ${task.paymentState}`;
    if (now !== seen) yield task;
    seen = now;
    if (isFinal(task)) return;
    await pause(intervalMs, signal).catch(() => undefined);
  }
}
