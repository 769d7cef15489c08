import { strict as assert } from 'node:assert';
import type { StoredChain } from '../../db/chains/chains.ts';
import { saveAttempt } from '../../db/tasks/attempts.ts';
import { saveDispute } from '../../db/tasks/disputes.ts';
import type { DisputeMoney } from '../../db/tasks/disputes.ts';
import { insertEvent } from '../../db/tasks/events.ts';
import { savePitch } from '../../db/tasks/pitches.ts';
import { insertTask, updateTask } from '../../db/tasks/tasks.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import { atomic, ZERO } from '../../domain/money.ts';
import type { Atomic } from '../../domain/money.ts';
import { after } from '../../domain/task/change.ts';
import type { Change } from '../../domain/task/change.ts';
import { closedUnpaid } from '../../domain/task/decide.ts';
import { isQueued, isStarter } from '../../domain/task/model.ts';
import type { InPlay } from '../../domain/task/model.ts';
import { endedUnpaid } from '../../domain/credit.ts';
import { karmaOf } from '../../domain/task/standing.ts';
import type { Hub } from '../../server/hub.ts';
import { recordAll } from '../_karma.ts';
import { followStep, karmaOfStep, noteStep } from '../chains/_follow.ts';
import { callLoans } from '../services/_collect.ts';
import { followPanels } from '../validators/_cases.ts';
import { settleMoney } from './_settle.ts';
import type { Cause, Moved } from './_settle.ts';
import { noteWelcome } from './_welcome.ts';

/** Rings when the claim queue may have something new. */
export const QUEUE_TOPIC = 'tasks.queue';
/** Rings when a starter task left the shelf. */
export const STARTER_TOPIC = 'tasks.starter';

/** A task with what the database keeps beside it. */
export interface Loaded {
  readonly play: InPlay;
  readonly holdId?: CommitmentId;
  readonly events: number;
  /** The chain that it is a step of, locked. */
  readonly chain?: StoredChain;
}
export interface Committed extends Loaded {
  readonly moved: Moved;
}

/**
 * Makes a decision so: standing, money, task, attempts, history and loans in the one transaction
 * (choices tasks.transitions). Standing comes before the money, so that no house account is locked
 * meanwhile.
 */
export async function commitChange(
  tx: Writer,
  hub: Hub,
  before: Loaded | undefined,
  change: Change,
  cause: {
    readonly actor: Account | 'hub';
    readonly at: Instant;
    /** What holds the reward of a task that opens as a step. */
    readonly holdId?: CommitmentId;
  },
): Promise<Committed> {
  const play = before === undefined ? { task: change.task, live: [] } : after(before.play, change);
  const { task } = play;
  const last = change.events.at(-1);
  const { at } = cause;
  const ofChain = before?.chain && (await karmaOfStep(tx, before.chain, before.play.task, play));
  const karma = [...karmaOf(change), ...(ofChain ?? [])];
  await recordAll(tx, hub, karma, { at, network: task.reward?.network });
  const moved = await move(tx, hub, { task, ...heldBefore(before), ...cause }, change);
  const events = (before?.events ?? 0) + change.events.length;
  const stored = { task, ...(moved.holdId && { holdId: moved.holdId }), events };
  await (before === undefined ? insertTask(tx, play, stored) : updateTask(tx, play, stored));
  for (const attempt of change.attempts) await saveAttempt(tx, attempt);
  if (change.dispute !== undefined) await saveDispute(tx, change.dispute, partsOf(moved));
  await followPanels(tx, hub, change, at);
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
  await noteWelcome(tx, change, at);
  const opened = task.state === 'open' && before?.play.task.state !== 'open';
  if (opened && isQueued(task)) tx.ring(QUEUE_TOPIC);
  if (isStarter(task) && task.state === 'held') tx.ring(STARTER_TOPIC);
  if (before === undefined) await noteStep(tx, task);
  const committed = { play, ...(moved.holdId && { holdId: moved.holdId }), events, moved };
  return before?.chain === undefined
    ? committed
    : moveChain(tx, hub, { ...committed, chain: before.chain }, { before, change, at });
}

/** Takes the chain on: its next step opens, and a step that came back to an ended chain ends too. */
async function moveChain(
  tx: Writer,
  hub: Hub,
  committed: Committed & { readonly chain: StoredChain },
  by: { readonly before: Loaded; readonly change: Change; readonly at: Instant },
): Promise<Committed> {
  const { before, change, at } = by;
  const { task } = committed.play;
  const { refunded: back } = committed.moved;
  const turn = { was: before.play.task, is: task, change, ...(back !== undefined && { back }) };
  const { stored, opens } = await followStep(tx, hub, committed.chain, turn, at);
  const { holdId } = stored;
  const cause = { actor: 'hub', at } as const;
  if (opens !== undefined) await commitChange(tx, hub, undefined, opens, { ...cause, holdId });
  const now = { ...committed, chain: stored };
  const unwanted = stored.chain.state === 'abandoned' && task.state === 'open';
  if (!unwanted || before.play.task.state === 'open') return now;
  const over = closedUnpaid(task, 'withdrawn', { at, event: 'task.withdrawn' });
  return commitChange(tx, hub, now, over, cause);
}

/** Where a disputed reward went; nothing while it is frozen. */
function partsOf({ split, transferId, ...moved }: Moved): DisputeMoney | undefined {
  if (split === undefined || transferId === undefined) return undefined;
  const { hub, judges, loan, worker } = split;
  const sum = (parts: readonly bigint[]): Atomic =>
    atomic(parts.reduce((total, part) => total + part, 0n));
  return {
    hub,
    judges: sum(judges),
    arbiter: moved.arbiter ?? ZERO,
    worker: sum([loan.principal, loan.origination, worker]),
    requester: moved.refunded ?? ZERO,
    transferId,
  };
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
