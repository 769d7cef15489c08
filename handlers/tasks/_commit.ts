import { strict as assert } from 'node:assert';
import { saveAttempt } from '../../db/tasks/attempts.ts';
import { insertEvent } from '../../db/tasks/events.ts';
import { savePitch } from '../../db/tasks/pitches.ts';
import { insertTask, updateTask } from '../../db/tasks/tasks.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import { after } from '../../domain/task/change.ts';
import type { Change } from '../../domain/task/change.ts';
import { isQueued, isStarter } from '../../domain/task/model.ts';
import type { InPlay } from '../../domain/task/model.ts';
import { endedUnpaid } from '../../domain/credit.ts';
import { karmaOf } from '../../domain/task/standing.ts';
import type { Hub } from '../../server/hub.ts';
import { recordAll } from '../_karma.ts';
import { callLoans } from '../services/_collect.ts';
import { settleMoney } from './_settle.ts';
import type { Cause, Moved } from './_settle.ts';

/** Rings when the claim queue may have something new. */
export const QUEUE_TOPIC = 'tasks.queue';
/** Rings when a starter task left the shelf. */
export const STARTER_TOPIC = 'tasks.starter';

/** A task with what the database keeps beside it. */
export interface Loaded {
  readonly play: InPlay;
  readonly holdId?: CommitmentId;
  readonly events: number;
}
export interface Committed extends Loaded {
  readonly moved: Moved;
}

/**
 * Makes a decision so: standing, money, task, attempts, history and loans in the one transaction
 * (choices 2.3). Standing comes before the money, so that no house account is locked meanwhile.
 */
export async function commitChange(
  tx: Writer,
  hub: Hub,
  before: Loaded | undefined,
  change: Change,
  cause: { readonly actor: Account | 'hub'; readonly at: Instant },
): Promise<Committed> {
  const play = before === undefined ? { task: change.task, live: [] } : after(before.play, change);
  const { task } = play;
  const last = change.events.at(-1);
  const { at } = cause;
  await recordAll(tx, hub, karmaOf(change), { at, network: task.reward?.network });
  const moved = await move(tx, hub, { task, ...heldBefore(before), ...cause }, change);
  const events = (before?.events ?? 0) + change.events.length;
  const stored = { task, ...(moved.holdId && { holdId: moved.holdId }), events };
  await (before === undefined ? insertTask(tx, play, stored) : updateTask(tx, play, stored));
  for (const attempt of change.attempts) await saveAttempt(tx, attempt);
  if (change.pitch !== undefined) await savePitch(tx, change.pitch);
  for (const [place, event] of change.events.entries()) {
    const seq = (before?.events ?? 0) + place + 1;
    const moving = event === last && moved.transferId !== undefined;
    await insertEvent(tx, task.id, {
      seq,
      ...event,
      ...(moving && { transferId: moved.transferId }),
    });
  }
  if (task.reward !== undefined) await callLoans(tx, hub, endedUnpaid(change), at);
  const opened = task.state === 'open' && before?.play.task.state !== 'open';
  if (opened && isQueued(task)) tx.ring(QUEUE_TOPIC);
  if (isStarter(task) && task.state === 'held') tx.ring(STARTER_TOPIC);
  return { play, ...(moved.holdId && { holdId: moved.holdId }), events, moved };
}

/** The last event is the one that money moves for; without a money step the hold stays as it is. */
async function move(
  tx: Writer,
  hub: Hub,
  cause: Omit<Cause, 'event'>,
  change: Change,
): Promise<Moved> {
  const event = change.events.at(-1)?.event;
  if (change.money === undefined) return heldBefore(cause);
  assert(event !== undefined, 'money moves for an event');
  return settleMoney(tx, hub, { ...cause, event }, change.money);
}

function heldBefore(before: { readonly holdId?: CommitmentId } | undefined): {
  readonly holdId?: CommitmentId;
} {
  return before?.holdId === undefined ? {} : { holdId: before.holdId };
}
