import type { Account } from '../account.ts';
import { sha256Hex } from '../digest.ts';
import type { Instant } from '../instant.ts';
import { canonical } from '../json.ts';
import type { Reason } from '../ledger/reasons.ts';
import type { NetworkId, NetworkKind } from '../network.ts';
import type { TaskMode, Verification } from '../tasks/model.ts';

/**
 * Ways of earning (choices discovery.runs). A run is the list of an account's acts since its last
 * earning, and its shape is the run without ids, amounts and texts. Invariant: equal ways have
 * equal shapes, and a shape discloses nothing about an account.
 */
export interface CaseStep {
  readonly op: string;
  readonly role: string;
  readonly verification?: Verification;
  readonly mode?: TaskMode;
  readonly networkKind: NetworkKind;
}

export const STEPS_MAX = 40;
/** The source record names no account before so many accounts did the same. */
export const NAMED_FROM = 3;

export const CASE_FAMILIES = [
  'task',
  'chain',
  'judge',
  'provider',
  'bet',
  'poker',
  'bonus',
] as const;
export type CaseFamily = (typeof CASE_FAMILIES)[number];

export interface Shape {
  readonly id: string;
  readonly steps: readonly CaseStep[];
  /** Earlier steps were left out. */
  readonly cut: boolean;
}

/** Immediate repeats count once; a long run keeps its end. */
export function shapeOf(run: readonly CaseStep[]): Shape {
  const distinct = run.filter((step, place) => {
    const before = run[place - 1];
    return before === undefined || canonical(before) !== canonical(step);
  });
  const steps = distinct.slice(-STEPS_MAX);
  const id = sha256Hex(canonical(steps)).slice(0, 16);
  return { id, steps, cut: steps.length < distinct.length };
}

interface Earning {
  readonly family: CaseFamily;
  readonly role: string;
}

/** Entries that end a run, when another account paid them. */
const EARNINGS: Partial<Record<Reason, Earning>> = {
  'task.reward': { family: 'task', role: 'worker' },
  'task.fee.judges': { family: 'judge', role: 'judge' },
  'dispute.arbiter': { family: 'judge', role: 'arbiter' },
  'call.charge': { family: 'provider', role: 'provider' },
  'bet.won': { family: 'bet', role: 'bettor' },
  'poker.cashout': { family: 'poker', role: 'player' },
  'poker.prize': { family: 'poker', role: 'player' },
  'bonus.welcome': { family: 'bonus', role: 'newcomer' },
};

export const EARNING_REASONS: readonly string[] = Object.keys(EARNINGS);

/** Undefined for what is no earning; poker is one only when more comes out than went in. */
export function earningOf(
  reason: Reason,
  about: { readonly net: bigint; readonly inChain: boolean },
): Earning | undefined {
  const earning = EARNINGS[reason];
  if (earning?.family === 'poker' && about.net <= 0n) return undefined;
  return earning?.family === 'task' && about.inChain ? { ...earning, family: 'chain' } : earning;
}

/** Returns the operation that an account's own event in a task's history came from. */
export function taskAction(event: {
  readonly event: string;
  readonly actor: Account;
  readonly requester: Account;
  readonly mode: TaskMode;
}): { readonly op: string; readonly role: string } | undefined {
  const isRequester = event.actor === event.requester;
  const role = isRequester ? 'requester' : 'worker';
  const deliver = event.mode === 'open' ? 'tasks.solution' : 'tasks.submit';
  switch (event.event) {
    case 'task.published':
      return { op: 'tasks.publish', role };
    case 'task.claimed':
      return { op: 'tasks.claim', role };
    case 'task.delivered':
    case 'attempt.refused':
    case 'solution.offered':
      return { op: deliver, role };
    case 'task.accepted':
      return { op: isRequester ? 'tasks.accept' : deliver, role };
    case 'attempt.announced':
      return { op: 'tasks.start', role };
    case 'attempt.failed':
      return { op: 'tasks.fail', role };
    case 'attempt.rejected':
      return { op: 'tasks.reject', role };
    case 'task.withdrawn':
      return { op: 'tasks.cancel', role };
    case 'pitch.offered':
      return { op: 'tasks.pitch', role };
    case 'pitch.chosen':
      return { op: 'tasks.choose', role };
    case 'task.disputed':
      return { op: 'tasks.dispute', role };
    case 'dispute.ruled':
      return { op: 'tasks.arbitrate', role: 'arbiter' };
    default:
      return undefined;
  }
}

/** The result of a run; amounts in atomic units of its network. */
export interface CaseResult {
  readonly earned: string;
  readonly cost: string;
  readonly network: NetworkId;
}

export interface CaseSource {
  readonly account: Account;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly transferId: string;
  readonly result: CaseResult;
}

export function netOf({ earned, cost }: CaseResult): bigint {
  return BigInt(earned) - BigInt(cost);
}
