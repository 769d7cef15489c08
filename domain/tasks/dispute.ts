import { defined } from '../defined.ts';
import { shorten } from '../text.ts';
import type { Account } from '../account.ts';
import { earliest, iso, plus } from '../instant.ts';
import type { Instant, Seconds } from '../instant.ts';
import { bps } from '../money.ts';
import type { Bps } from '../money.ts';
import type { Ruling } from '../settlement.ts';
import { refused } from './change.ts';
import type { Change, Refused, TaskEvent } from './change.ts';
import { ARBITER_TIMEOUT, ARBITER_SEARCH, DISPUTE_LIMIT } from './limits.ts';
import { acceptedAttempt } from './model.ts';
import type { ArbiterDraw, Attempt, Dispute, TaskAggregate } from './model.ts';

/**
 * A dispute over an accepted result (T20 to T23, choices disputes.arbiter). Invariant: while it is
 * open the payout does not move, on any call and however late it is; it ends once, by the ruling of
 * the arbiter who is drawn at that moment or, two days after it was raised, by none.
 */

/** The history says the beginning of what the dispute has in full. */
const NOTE_MAX = 2_000;

/** Freezes the payout; an arbiter is drawn in the same transaction. */
export function raise(
  aggregate: TaskAggregate,
  by: Account,
  reason: string,
  now: Instant,
): Change | Refused {
  const { task } = aggregate;
  const refusal = raiseRefusal(aggregate, by);
  if (refusal !== undefined) return refusal;
  const dispute: Dispute = {
    taskId: task.id,
    raisedBy: by,
    reason,
    at: now,
    voidAt: plus(now, DISPUTE_LIMIT),
    state: 'drawn',
    draws: [],
    drawAt: now,
  };
  return {
    task: { ...task, state: 'disputed' },
    attempts: [],
    events: [
      {
        at: now,
        event: 'task.disputed',
        state: 'disputed',
        actor: by,
        ...(task.accepted !== undefined && { attemptId: task.accepted.attemptId }),
        note: shorten(reason, NOTE_MAX),
      },
    ],
    dispute,
  };
}

/** Why this account may not dispute this task now, in order of precedence. */
function raiseRefusal(aggregate: TaskAggregate, by: Account): Refused | undefined {
  const { task, dispute } = aggregate;
  const worker = acceptedAttempt(aggregate)?.worker;
  if (by !== task.requester && by !== worker) {
    const why = 'Only the requester, and the worker whose result was accepted, may dispute it.';
    return refused('not-a-party', why);
  }
  if (dispute !== undefined) {
    return refused('already-disputed', `A dispute was raised at ${iso(dispute.at)}.`);
  }
  if (task.reward === undefined) {
    return refused('wrong-state', 'This task is unpaid: no payout can be frozen.');
  }
  if (task.state === 'accepted') return undefined;
  if (task.state !== 'paid') {
    return refused(
      'wrong-state',
      `This task is ${task.state}; only an accepted result is disputed.`,
    );
  }
  const ended = task.accepted?.payoutAt ?? task.accepted?.at;
  const when = ended === undefined ? '' : ` at ${iso(ended)} at the latest`;
  return refused('window-closed', `The dispute window ended${when}: the task is paid.`);
}

export type Drawn = Pick<ArbiterDraw, 'arbiter' | 'pulseSeq' | 'seed' | 'pool'>;

export function nextDraw({ draws }: Dispute): number {
  return draws.length + 1;
}

/**
 * Returns the dispute once the time of its arbiter, or the hour without one, is over. `drawn` is
 * who decides from now on; undefined while no seat may, and then it is tried again after `again`.
 */
export function redraw(
  aggregate: TaskAggregate,
  drawn: Drawn | undefined,
  now: Instant,
  again: Seconds = ARBITER_SEARCH,
): Change | undefined {
  const { task, dispute } = aggregate;
  if (dispute === undefined || dispute.state !== 'drawn') return undefined;
  const { arbiter: _late, until: _until, drawAt: _drawAt, ...kept } = dispute;
  const late = lateEvent(dispute, now);
  if (drawn === undefined) {
    const drawAt = earliest(plus(now, again), dispute.voidAt);
    return { task, attempts: [], events: late, dispute: { ...kept, drawAt } };
  }
  const until = earliest(plus(now, ARBITER_TIMEOUT), dispute.voidAt);
  const draw: ArbiterDraw = { ...drawn, drawnAt: now, until };
  const event: TaskEvent = {
    at: now,
    event: 'dispute.drawn',
    state: 'disputed',
    actor: drawn.arbiter,
  };
  return {
    task,
    attempts: [],
    events: [...late, event],
    dispute: { ...kept, arbiter: drawn.arbiter, until, draws: [...dispute.draws, draw] },
  };
}

/** Without a ruling in time the outcome before the dispute stands (T23). */
export function voidDispute(aggregate: TaskAggregate, now: Instant): Change | undefined {
  const { task, dispute } = aggregate;
  const winner = acceptedAttempt(aggregate);
  if (dispute === undefined || winner === undefined) return undefined;
  return {
    task: { ...task, state: 'paid' },
    attempts: [],
    events: [
      ...lateEvent(dispute, now),
      { at: now, event: 'dispute.void', state: 'paid', attemptId: winner.id },
    ],
    money: { step: 'release', from: 'payout', attempt: winner },
    dispute: { ...dispute, state: 'void', endedAt: now },
  };
}

/** The event of an arbiter who was drawn and did not rule in time. */
function lateEvent({ arbiter, until }: Dispute, now: Instant): readonly TaskEvent[] {
  if (arbiter === undefined || until === undefined || until > now) return [];
  return [{ at: now, event: 'dispute.late', state: 'disputed', actor: arbiter }];
}

export interface RulingRequest {
  readonly verdict: 'upheld' | 'rejected' | 'split';
  readonly workerShareBps?: number;
  readonly resolution?: string;
}

const HALF = bps(5_000);

export function arbitrate(
  aggregate: TaskAggregate,
  by: Account,
  request: RulingRequest,
  now: Instant,
): Change | Refused {
  const { task, dispute } = aggregate;
  const winner = acceptedAttempt(aggregate);
  if (dispute === undefined || winner === undefined) {
    return refused('not-found', 'There is no dispute on this task.');
  }
  const refusal = rulingRefusal(dispute, by, request);
  if (refusal !== undefined) return refusal;
  const { verdict, resolution } = request;
  const workerShareBps = bps(request.workerShareBps ?? HALF);
  const ruling = rulingOf(aggregate, verdict, workerShareBps);
  const upheldForRequester = ruling.verdict === 'upheld' && ruling.raisedBy === 'requester';
  const state = upheldForRequester ? 'refunded' : 'paid';
  return {
    task: { ...task, state },
    attempts: [],
    events: [
      {
        at: now,
        event: 'dispute.ruled',
        state,
        actor: by,
        attemptId: winner.id,
        note: noteOf(request, workerShareBps),
      },
    ],
    money: { step: 'rule', attempt: winner, ruling, arbiter: by },
    dispute: {
      ...dispute,
      state: 'ruled',
      verdict,
      ...(verdict === 'split' && { workerShareBps }),
      ...defined({ resolution }),
      endedAt: now,
    },
  };
}

function rulingRefusal(
  dispute: Dispute,
  by: Account,
  { verdict, workerShareBps }: RulingRequest,
): Refused | undefined {
  const { arbiter, state } = dispute;
  if (arbiter !== by) {
    const who = arbiter === undefined ? 'not drawn yet' : arbiter;
    return refused('not-the-arbiter', `The arbiter of this dispute is ${who}.`);
  }
  if (state !== 'drawn') {
    const how = state === 'void' ? 'ended without a ruling' : 'was ruled on';
    return refused('wrong-state', `This dispute ${how} at ${iso(dispute.endedAt ?? dispute.at)}.`);
  }
  if (workerShareBps === undefined || verdict === 'split') return undefined;
  return refused('share-needs-split', `The verdict ${verdict} decides the whole amount.`, {
    field: 'body.workerShareBps',
  });
}

function rulingOf(
  { task, dispute }: TaskAggregate,
  verdict: RulingRequest['verdict'],
  workerShareBps: Bps,
): Ruling {
  if (verdict === 'split') return { verdict, workerShareBps };
  if (verdict === 'rejected') return { verdict };
  return { verdict, raisedBy: dispute?.raisedBy === task.requester ? 'requester' : 'worker' };
}

function noteOf({ verdict, resolution }: RulingRequest, workerShareBps: Bps): string {
  const word = verdict === 'split' ? `split ${workerShareBps}` : verdict;
  return resolution === undefined ? word : shorten(`${word}: ${resolution}`, NOTE_MAX);
}

/** Whose word did not stand; a split has no loser. */
export function loserOf(dispute: Dispute, requester: Account, worker: Attempt['worker']) {
  const { verdict, raisedBy } = dispute;
  if (verdict === 'rejected') return raisedBy;
  if (verdict !== 'upheld') return undefined;
  return raisedBy === requester ? worker : requester;
}
