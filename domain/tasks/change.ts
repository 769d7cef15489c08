import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { plus, type Instant } from '../instant.ts';
import type { Atomic } from '../money.ts';
import type { Ruling } from '../settlement.ts';
import type { Amendment } from './agreement.ts';
import {
  undecided,
  type Attempt,
  type Dispute,
  type TaskAggregate,
  type Pitch,
  type Task,
  type TaskState,
} from './model.ts';

/**
 * A decision is a value: the task as it becomes, the attempts that change, what is written into the
 * history and the one step its money takes. Invariant: a change is whole. Saving it in one
 * transaction is all that is left to do, and a refusal changes nothing (choices tasks.transitions).
 */
export interface Change {
  readonly task: Task;
  readonly attempts: readonly Attempt[];
  readonly events: readonly TaskEvent[];
  readonly money?: MoneyStep;
  readonly pitch?: PitchStep;
  readonly panel?: PanelVerdict;
  readonly dispute?: Dispute;
  readonly amendment?: Amendment;
}

export interface PanelVerdict {
  readonly roundId: string;
  readonly verdict: 'accepted' | 'rejected';
  readonly size: number;
  /** Everybody who voted, in draw order. */
  readonly votes: readonly {
    readonly account: Account;
    readonly verdict: 'accepted' | 'rejected';
  }[];
}

export type EventName =
  | 'task.published'
  | 'task.claimed'
  | 'lease.renewed'
  | 'attempt.progress'
  | 'task.change-proposed'
  | 'task.change-refused'
  | 'task.change-withdrawn'
  | 'task.amended'
  | 'task.settled'
  | 'task.opened'
  | 'dispute.settled'
  | 'task.accepted'
  | 'task.auto-accepted'
  | 'task.delivered'
  | 'task.paid'
  | 'task.withdrawn'
  | 'task.expired'
  | 'attempt.announced'
  | 'attempt.refused'
  | 'attempt.failed'
  | 'attempt.lapsed'
  | 'attempt.rejected'
  | 'solution.offered'
  | 'pitch.offered'
  | 'pitch.chosen'
  | 'pitch.lapsed'
  | 'delivery.ignored'
  | 'panel.accepted'
  | 'panel.rejected'
  | 'panel.silent'
  | 'task.disputed'
  | 'dispute.drawn'
  | 'dispute.late'
  | 'dispute.ruled'
  | 'dispute.void';

export interface TaskEvent {
  readonly at: Instant;
  readonly event: EventName;
  readonly state: TaskState;
  readonly actor?: Account;
  readonly attemptId?: string;
  readonly note?: string;
}

/**
 * `lower` gives a part of the escrow back, `raise` adds to it and `reserve` turns it into a payout
 * that waits; `release`, `rule`, `share`, `part` and `refund` end the hold.
 */
export type MoneyStep =
  | { readonly step: 'escrow' }
  | { readonly step: 'lower' | 'raise'; readonly by: Atomic }
  | { readonly step: 'reserve'; readonly attempt: Attempt }
  | { readonly step: 'release'; readonly from: 'task' | 'payout'; readonly attempt: Attempt }
  | {
      readonly step: 'rule';
      readonly attempt: Attempt;
      readonly ruling: Ruling;
      readonly arbiter: Account;
    }
  | {
      readonly step: 'share';
      readonly winners: readonly Winner[];
      /** The part that no winner takes; it goes back in the same transfer. */
      readonly rest: Atomic;
    }
  | {
      readonly step: 'part';
      readonly from: 'task' | 'payout';
      readonly attempt: Attempt;
      /** The part of the worker's side before fees; the rest goes back. */
      readonly amount: Atomic;
    }
  | { readonly step: 'refund' };

/** A result that won a part of a divided reward. */
export type Winner = Attempt & Required<Pick<Attempt, 'place' | 'shareBps' | 'award'>>;

/** The attempts that a step pays, or will pay. */
export function paidBy(step: MoneyStep | undefined): readonly Attempt[] {
  if (step?.step === 'share') return step.winners;
  return step !== undefined && 'attempt' in step ? [step.attempt] : [];
}

/** An offer replaces the one that its worker had. */
export type PitchStep =
  | { readonly offered: Pitch }
  | { readonly lapsedId: string }
  /** The workers whose plans were not chosen. */
  | { readonly passed: readonly Account[] };

export type TaskRefusal =
  | 'wrong-state'
  | 'wrong-mode'
  | 'already-claimed'
  | 'thread-only'
  | 'pitch-required'
  | 'not-chosen'
  | 'solutions-pending'
  | 'decided'
  | 'claim-limit'
  | 'claim-cooldown'
  | 'attempts-used'
  | 'self-dealing'
  | 'skill-mismatch'
  | 'claim-token'
  | 'lease-over'
  | 'acceptance-required'
  | 'reward-too-small'
  | 'price-above-reward'
  | 'deadline'
  | 'not-a-party'
  | 'not-found'
  | 'starter-used'
  | 'already-disputed'
  | 'window-closed'
  | 'not-the-arbiter'
  | 'share-needs-split'
  | 'unknown-field-value'
  | 'not-together'
  | 'bad-shares'
  | 'body-too-large';

export interface Refused {
  readonly refused: TaskRefusal;
  /** Why this very call is refused, in one sentence. */
  readonly why: string;
  readonly field?: string;
  /** Values that would have been taken. */
  readonly allowed?: readonly string[];
  /** When the same call may succeed. */
  readonly until?: Instant;
  /** The next call, where the code's own hint names another one's. */
  readonly hint?: string;
}

export function refused(
  code: TaskRefusal,
  why: string,
  more: Omit<Refused, 'refused' | 'why'> = {},
): Refused {
  return { refused: code, why, ...more };
}

export function isRefused<T extends object>(decision: T | Refused): decision is Refused {
  return 'refused' in decision;
}

export function applyChange(aggregate: TaskAggregate, change: Change): TaskAggregate {
  const changed = new Map(change.attempts.map((attempt) => [attempt.id, attempt]));
  const kept = aggregate.live.filter((attempt) => !changed.has(attempt.id));
  const stillLive = change.attempts.filter((attempt) => isLive(attempt, change.task));
  const dispute = change.dispute ?? aggregate.dispute;
  return { task: change.task, live: [...kept, ...stillLive], ...(dispute && { dispute }) };
}

function isLive(attempt: Attempt, task: Task): boolean {
  if (attempt.state === 'claimed' || attempt.state === 'waiting') return true;
  return attempt.id === task.accepted?.attemptId;
}

/** Ends an attempt; its claim token dies with it. */
export function closed(
  attempt: Attempt,
  state: 'accepted' | 'refused' | 'rejected' | 'failed' | 'lapsed' | 'superseded',
  at: Instant,
  reason?: string,
): Attempt {
  return {
    ...without(attempt, 'claimToken', 'tokenKey'),
    state,
    endedAt: at,
    ...defined({ reason }),
  };
}

/** The same value with optional fields absent; absent is a meaning here, undefined is not. */
export function without<T extends object, K extends keyof T>(value: T, ...names: readonly K[]): T {
  const copy = { ...value };
  for (const name of names) delete copy[name];
  return copy;
}

export function unreserved(task: Task): Task {
  return without(task, 'reserved');
}

export interface AcceptedBy {
  readonly event: 'task.accepted' | 'task.auto-accepted' | 'panel.accepted';
  readonly actor?: Account;
  readonly note?: string;
  /** The requester's own acceptance waits for nothing (T11). */
  readonly paysNow: boolean;
}

/**
 * Accepts an attempt (T4, T11, T13, T14). The payout waits the dispute window, if there is one;
 * other undecided results are superseded. Unpaid work stops here.
 */
export function acceptAttempt(
  aggregate: TaskAggregate,
  attempt: Attempt,
  by: AcceptedBy,
  at: Instant,
): Change {
  const { task } = aggregate;
  const winner = closed(attempt, 'accepted', at);
  const others = undecided(aggregate)
    .filter((other) => other.id !== attempt.id)
    .map((other) => closed(other, 'superseded', at, 'another result was accepted'));
  const window = task.windows.disputeWindowSeconds;
  const payoutAt = by.paysNow ? at : plus(at, window);
  const paid = task.reward !== undefined;
  const accepted: Task = {
    ...unreserved(task),
    state: 'accepted',
    accepted: { attemptId: attempt.id, at, ...(paid && { payoutAt }) },
  };
  const event: TaskEvent = {
    at,
    event: by.event,
    state: 'accepted',
    attemptId: attempt.id,
    ...defined({ actor: by.actor, note: by.note }),
  };
  const change: Change = { task: accepted, attempts: [winner, ...others], events: [event] };
  if (!paid) return change;
  if (payoutAt > at) return { ...change, money: { step: 'reserve', attempt: winner } };
  return paidChange(change, winner, 'task', at);
}

/** Releases the reward of an accepted attempt (T11, T19), on top of what led to it. */
export function paidChange(
  change: Change,
  winner: Attempt,
  from: 'task' | 'payout',
  at: Instant,
): Change {
  return {
    ...change,
    task: { ...change.task, state: 'paid' },
    events: [...change.events, { at, event: 'task.paid', state: 'paid', attemptId: winner.id }],
    money: { step: 'release', from, attempt: winner },
  };
}
