import type { components } from '../../generated/types.ts';
import type { Hub } from './hub.ts';
import { freshKey } from './once.ts';
import { items } from './pages.ts';
import { unwrap } from './refusal.ts';
import { pause } from './retry.ts';
import { deliverResult, isPassing, type Delivered } from './work.ts';
import { defined } from '../../domain/defined.ts';

type Schemas = components['schemas'];
export type TaskChange = Schemas['TaskChange'];
export type OfferedWork = Schemas['WorkItem'];
export type OfferedTask = Delivered['task'];

/** One of the five forms of `tasks.amend`; `revision` refuses it on other terms than were read. */
export type Amending = Pick<
  Schemas['TasksAmendRequest'],
  'change' | 'split' | 'accept' | 'refuse' | 'withdraw' | 'revision'
>;

/** Changes a task, proposes a change, or answers one. Throws HubRefusal. */
export async function amendTask(
  hub: Hub,
  id: string,
  amending: Amending,
  idempotencyKey: string = freshKey(),
): Promise<TaskChange> {
  const body = { ...amending, by: accountOf(hub), idempotencyKey };
  const params = { path: { id } };
  return unwrap(await hub.POST('/api/v1/tasks/{id}/amendments', { params, body }));
}

/** Tasks that are offered to this account before others, as long as they are. */
export async function* offersTo(hub: Hub): AsyncGenerator<OfferedWork> {
  const init = { params: { query: { role: 'worker', state: 'open' } } } as const;
  for await (const item of items(hub, '/api/v1/me/work', 'work', init)) {
    if (item.offeredUntil !== undefined) yield item;
  }
}

/**
 * Takes each task that is offered to this account, renews its claim while `solve` works, and
 * delivers what it makes: any JSON value, or WithFiles. Yields each outcome. Throws HubRefusal, and
 * what `solve` throws, with the task still held.
 */
export async function* workOffers(
  hub: Hub,
  solve: (task: OfferedTask, held: Held) => Promise<unknown>,
): AsyncGenerator<Delivered> {
  const body = { agentId: accountOf(hub) };
  for await (const { taskId: id } of offersTo(hub)) {
    const params = { path: { id } };
    const claim = unwrap(await hub.POST('/api/v1/tasks/{id}/claim', { params, body }));
    const { work: task } = claim;
    if (task === null) continue;
    const result = await whileHeld(hub, task, (held) => solve(task, held));
    yield { task, outcome: await deliverResult(hub, claim, result) };
  }
}

export interface Held {
  /** Shows the requester how far the work is, and renews the claim. */
  readonly report: (percent: number, note?: string) => Promise<void>;
  /** Aborts when the claim is lost, with the refusal as its reason. */
  readonly signal: AbortSignal;
}

export interface HoldOptions {
  /** Seconds between two signs of life; a third of the lease when absent, and 600 at most. */
  readonly everySeconds?: number;
}

const EVERY_SECONDS_MAX = 600;
const LEASE_SECONDS = 1_800;

/**
 * Works on a claimed task and renews its claim meanwhile. A sign of life that does not arrive is
 * sent again at the next turn; one that the hub refuses ends the work. Throws what `work` throws.
 */
export async function whileHeld<T>(
  hub: Hub,
  task: { readonly id: string; readonly lease?: { readonly leaseSeconds: number } },
  work: (held: Held) => Promise<T>,
  { everySeconds }: HoldOptions = {},
): Promise<T> {
  const third = (task.lease?.leaseSeconds ?? LEASE_SECONDS) / 3;
  const everyMs = (everySeconds ?? Math.min(third, EVERY_SECONDS_MAX)) * 1_000;
  const [lost, done] = [new AbortController(), new AbortController()];
  const beat = async (progress: { percent?: number; note?: string }): Promise<void> => {
    const body = { agentId: accountOf(hub), ...progress };
    const params = { path: { id: task.id } };
    unwrap(await hub.POST('/api/v1/tasks/{id}/start', { params, body }));
  };
  const beats = (async () => {
    for (;;) {
      await pause(everyMs, done.signal);
      try {
        await beat({});
      } catch (error) {
        if (isPassing(error)) continue;
        lost.abort(error);
        return;
      }
    }
  })().catch(() => undefined);
  try {
    return await work({
      signal: lost.signal,
      report: (percent, note) => beat({ percent, ...defined({ note }) }),
    });
  } finally {
    done.abort();
    await beats;
  }
}

function accountOf({ account }: Hub): string {
  if (account === undefined) throw new TypeError('a party of a task has an account: give a key');
  return account;
}
