import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import type { KarmaCause } from '../karma.ts';
import { atomic, ZERO } from '../money.ts';
import type { Atomic } from '../money.ts';
import { refused } from '../tasks/change.ts';
import type { Refused } from '../tasks/change.ts';
import type { Task } from '../tasks/model.ts';
import type { Chain } from './model.ts';

/**
 * The effect of a changed task on its chain (choices chains.steps). Invariant: a step opens only
 * while the chain runs, a reward counts as spent from acceptance on, and an ended chain holds only
 * the reward of a step that is still at work.
 */
export interface ChainChange {
  readonly chain: Chain;
  /** Released at once: rewards of steps that will never open. */
  readonly refund?: Atomic;
  /** Whether the step after the one that was accepted opens now. */
  readonly opens: boolean;
  readonly completed: boolean;
}

export interface StepTurn {
  readonly was: Task;
  readonly is: Task;
  /** The part of its reward that the decision returned to the requester. */
  readonly back: Atomic;
  /** The reward of the step that follows; absent at the last one. */
  readonly following?: Atomic;
}

/** Undefined when the decision says nothing to the chain. */
export function follow(chain: Chain, turn: StepTurn, now: Instant): ChainChange | undefined {
  const { was, is } = turn;
  const accepted = isAccepted(turn);
  const ended = is.state !== was.state;
  const endedUnpaid = ended && UNPAID_ENDS.includes(is.state);
  const completed = completes(chain, was, is);
  const opens = opensNext(chain, was, is);
  if (!accepted && !endedUnpaid && !completed && !opens && turn.back === 0n) return undefined;
  const counted = count(chain, turn, accepted || endedUnpaid);
  if (chain.state !== 'running') return { chain: counted, opens: false, completed: false };
  const takenBack = chain.sameWorker && ended && is.state === 'refunded' && !completed;
  if (endedUnpaid || takenBack) {
    const reason = takenBack ? refundedBy(is) : deadlineOver(is);
    return { ...endedChain(counted, reason, now), completed: false };
  }
  if (opens) return { chain: advanced(counted, turn), opens, completed: false };
  if (!completed) return { chain: counted, opens: false, completed };
  return { chain: { ...counted, state: 'completed', endedAt: now }, opens: false, completed };
}

function isAccepted({ was, is }: Pick<StepTurn, 'was' | 'is'>): boolean {
  return was.accepted === undefined && is.accepted !== undefined;
}

/**
 * Whether a decision opens the next step. Acceptance does, but a milestone must be paid first, so
 * that no later one begins while the money of the one before may still go back.
 */
export function opensNext(chain: Chain, was: Task, is: Task): boolean {
  if (chain.state !== 'running' || is.chain?.step !== chain.step || chain.step === chain.steps) {
    return false;
  }
  if (!chain.sameWorker) return isAccepted({ was, is });
  return is.state === 'paid' && was.state !== 'paid';
}

/** A chain is completed when its last step is over, whatever an earlier one still waits for. */
export function completes(chain: Chain, was: Task, is: Task): boolean {
  const last = is.chain?.step === chain.steps;
  return chain.state === 'running' && last && is.state !== was.state && isPaidEnd(is);
}

function isPaidEnd({ state }: Task): boolean {
  return state === 'paid' || state === 'refunded';
}

const UNPAID_ENDS: readonly string[] = ['withdrawn', 'expired'];

/** `left`: the whole reward leaves the escrow now; else a ruling took back a spent part. */
function count(chain: Chain, { is, back }: StepTurn, left: boolean): Chain {
  const gone = left ? (is.reward?.amount ?? ZERO) : ZERO;
  return {
    ...chain,
    spent: atomic(chain.spent + gone - back),
    refunded: atomic(chain.refunded + back),
  };
}

function advanced(chain: Chain, { following = ZERO }: StepTurn): Chain {
  return { ...chain, step: chain.step + 1, waiting: atomic(chain.waiting - following) };
}

function deadlineOver(task: Task): string {
  return `step ${task.chain?.step ?? 0} had no accepted result by its deadline`;
}

function refundedBy(task: Task): string {
  return `the arbiter of step ${task.chain?.step ?? 0} returned its reward`;
}

/** The requester stops it; what is at work or decided finishes under its own terms. */
export function abandonChain(
  chain: Chain,
  by: Account,
  reason: string | undefined,
  now: Instant,
): Omit<ChainChange, 'completed'> | Refused {
  if (chain.requester !== by) {
    return refused('not-a-party', 'Only the requester of this chain may abandon it.');
  }
  if (chain.state !== 'running') {
    const hint = `There is nothing left to end: \`GET /api/v1/chains/${chain.id}\` shows its steps and where the money went.`;
    return refused('wrong-state', `This chain is ${chain.state} already.`, { hint });
  }
  return endedChain(chain, reason ?? 'the requester abandoned it', now);
}

function endedChain(chain: Chain, reason: string, now: Instant): Omit<ChainChange, 'completed'> {
  const { waiting } = chain;
  return {
    chain: {
      ...chain,
      state: 'abandoned',
      refunded: atomic(chain.refunded + waiting),
      waiting: ZERO,
      endedAt: now,
      endReason: reason,
    },
    ...(waiting > 0n && { refund: waiting }),
    opens: false,
  };
}

/** Each accepted worker of a completed chain gains by it, once (choices karma.entries). */
export function karmaOfChain(chain: Chain, workers: readonly Account[]): readonly KarmaCause[] {
  const about = { ref: { kind: 'chain', id: chain.id }, occasion: chain.id } as const;
  return [...new Set(workers)].map((subject) => ({
    ...about,
    subject,
    counterparty: chain.requester,
    reason: 'chain.completed',
  }));
}
