import type { Account } from '../../domain/account.ts';
import type { Reason } from '../../domain/ledger/reasons.ts';
import type {
  Commitment,
  CommitmentId,
  InsufficientFunds,
  Transfer,
} from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../domain/instant.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import {
  limitsOf,
  listed,
  overLimit,
  take,
  takeAgain,
  whyNotPaid,
  type KeyPolicy,
  type LimitState,
  type Spent,
} from '../../domain/wallet/policy.ts';
import {
  firstTaken,
  flowOf,
  mergedParts,
  splitParts,
  sumOf,
  type CountedHold,
  type Flow,
  type SpentPart,
  type Taking,
} from '../../domain/wallet/spentParts.ts';
import type { Decider } from '../batch/transaction.ts';
import { spendingOf, type Spending } from '../spender.ts';
import { KEY_APPROVALS } from '../wallet/approvals.ts';
import {
  endOf,
  isUnlimited,
  KEY_POLICIES,
  spentOf,
  withSpent,
  type KeyRule,
} from '../wallet/policies.ts';
import { COMMITMENTS } from './ledgerTables.ts';
import { FEES } from './shards.ts';

export type SpendingRefusal =
  | { readonly why: 'revoked'; readonly at: Instant }
  | { readonly why: 'forbids'; readonly text: string }
  | { readonly why: 'limit'; readonly amount: Atomic; readonly over: LimitState }
  | {
      readonly why: 'approval';
      readonly amount: Atomic;
      readonly above: Atomic;
      readonly network: NetworkId;
    };

/** Thrown by `post`, so that nothing of the unit stays; `server/units.ts` makes it a refusal. */
export class SpendingRefused extends Error {
  readonly refusal: SpendingRefusal;

  constructor(refusal: SpendingRefusal) {
    super(`the policy of the key stops it: ${refusal.why}`);
    this.name = 'SpendingRefused';
    this.refusal = refusal;
  }
}

/** The parts of the holds that a transfer opens, by the hold. */
export type SpentParts = ReadonlyMap<CommitmentId, readonly SpentPart[]>;

/**
 * Counts what a transfer takes from the account of the unit's key, and what it gives back to the keys
 * that held it, under the policies of both (choices wallet.policies). Throws `SpendingRefused` where
 * the policy of the calling key stops it; a unit without a call gets the refusal of an empty account.
 * What the hub decides in passing, for its clock or a debt, is no spending of the key.
 */
export function countSpending(
  db: Decider,
  transfer: Transfer,
  commitments: ReadonlyMap<CommitmentId, Commitment>,
): SpentParts | InsufficientFunds {
  const holds = new Map(
    [...commitments].map(([id, { account, remaining }]) => {
      const { spent: parts = [] } = db.find(COMMITMENTS, id) ?? {};
      return [id, { account, remaining, parts }] as const;
    }),
  );
  const flow = flowOf(transfer.steps, holds);
  db.spending ??= continued(flow, holds.values());
  for (const [account, parts] of flow.returned) giveBack(db, account, parts);
  const kept = new Map<CommitmentId, readonly SpentPart[]>();
  for (const { step, parts } of flow.takings) {
    if (step.verb === 'hold' && parts.length > 0) kept.set(step.commitment, mergedParts(parts));
  }
  const { spending } = db;
  if (spending === undefined) return kept;
  const takings = flow.takings.filter((taking) => isDecided(taking, spending, transfer));
  return countTakings(db, spending, { transfer, takings, kept });
}

/** A unit without a call goes on for the key whose hold it ends. */
function continued({ returned }: Flow, holds: Iterable<CountedHold>): Spending | undefined {
  for (const { account, parts } of holds) {
    const [first] = parts;
    if (first !== undefined && returned.has(account)) {
      return spendingOf({ keyId: first.keyId, account });
    }
  }
  return undefined;
}

/** Reduces the windows that the parts were counted in, as far as they still run. */
function giveBack(db: Decider, account: Account, parts: readonly SpentPart[]): void {
  for (const { keyId, at, amount } of parts) {
    const rule = db.find(KEY_POLICIES, { keyId, account });
    if (rule === undefined) continue;
    db.put(KEY_POLICIES, rule, withSpent(rule, takeAgain(spentOf(rule), -amount, at)));
  }
  const { spending } = db;
  if (spending?.account !== account) return;
  const own = parts.filter(({ keyId }) => keyId === spending.keyId);
  db.spending = { ...spending, credits: [...spending.credits, ...own] };
}

/** The borrower decided on these by taking the loan. */
const REPAYMENTS: readonly Reason[] = ['loan.repay', 'loan.origination'];

/** Whether a step takes from the account of a key, which pays out of a hold where it decides so. */
function isDecided({ step, account }: Taking, key: Spending, { actor }: Transfer): boolean {
  if (account !== key.account) return false;
  if (step.verb === 'move') return !REPAYMENTS.includes(step.reason);
  return step.verb === 'hold' || actor === key.account;
}

interface Counted {
  readonly transfer: Transfer;
  readonly takings: readonly Taking[];
  readonly kept: ReadonlyMap<CommitmentId, readonly SpentPart[]>;
}

/** Counts what a key takes. Of a hold that goes on only what is added to it is taken now. */
function countTakings(
  db: Decider,
  spending: Spending,
  { transfer, takings, kept }: Counted,
): SpentParts | InsufficientFunds {
  const { keyId, account, digest } = spending;
  const firsts = takings.map((taking) => ({ taking, first: firstTaken(taking, keyId) }));
  const first = firsts.reduce((sum, each) => sum + each.first, 0n);
  if (first === 0n) return kept;
  const credited = sumOf(spending.credits);
  const again = first < credited ? first : credited;
  const fresh = transfer.actor === account ? first - again : 0n;
  if (again + fresh === 0n) return kept;
  const rule = db.find(KEY_POLICIES, spending);
  if (rule === undefined) return kept;
  // A unit without a call of its own goes on with one whose hold it gave back.
  const goesOn =
    sumOf(
      takings.flatMap(({ parts }) => parts),
      keyId,
    ) + again;
  const ofCall = spending.taken + (digest === undefined ? goesOn : 0n);
  const { within: used, beyond: credits } = splitParts(spending.credits, again);
  let spent = used.reduce((sum, { amount, at }) => takeAgain(sum, amount, at), spentOf(rule));
  if (fresh > 0n) {
    const leaving = takings.reduce((sum, { amount }) => sum + amount, 0n);
    const parts = firsts.flatMap((each) => (each.first > 0n ? [each.taking] : []));
    const refused = judge(db, transfer, { rule, spending, spent, ofCall, fresh, leaving, parts });
    if (refused !== undefined) return refused;
    spent = take(spent, fresh, transfer.at);
  }
  db.put(KEY_POLICIES, rule, withSpent(rule, spent));
  const { isApproved = false } = db.spending ?? {};
  db.spending = { ...spending, taken: ofCall + fresh, credits, isApproved };
  const now = fresh > 0n ? [{ keyId, at: spent.at, amount: atomic(fresh) }] : [];
  return withTaken(firsts, [...used, ...now], kept);
}

/** Gives the parts that a key takes to the holds that it opens, in their order. */
function withTaken(
  firsts: readonly { readonly taking: Taking; readonly first: bigint }[],
  taken: readonly SpentPart[],
  kept: SpentParts,
): SpentParts {
  const holds = new Map(kept);
  let rest = taken;
  for (const { taking, first } of firsts) {
    const { within, beyond } = splitParts(rest, first);
    rest = beyond;
    if (taking.step.verb !== 'hold' || within.length === 0) continue;
    const { commitment } = taking.step;
    holds.set(commitment, mergedParts([...(kept.get(commitment) ?? []), ...within]));
  }
  return holds;
}

interface Judged {
  readonly rule: KeyRule;
  readonly spending: Spending;
  /** The counts of the key with what is taken again of what was given back. */
  readonly spent: Spent;
  /** The amount that the call at hand took before. */
  readonly ofCall: bigint;
  /** Of what leaves, what was neither held before nor given back in this unit. */
  readonly fresh: bigint;
  readonly leaving: bigint;
  /** Those that take something for the first time. */
  readonly parts: readonly Taking[];
}

function judge(
  db: Decider,
  { at, network }: Transfer,
  { rule, spending, spent, ofCall, fresh, leaving, parts }: Judged,
): InsufficientFunds | undefined {
  const { account, digest } = spending;
  const { policy } = rule;
  const ended = endOf(rule, at);
  const refusal = ((): SpendingRefusal | undefined => {
    if (ended !== undefined) return { why: 'revoked', at: ended };
    if (policy === undefined) return undefined;
    const text = whyNotTo(policy, parts) ?? whyNotOn(policy, network);
    if (text !== undefined) return { why: 'forbids', text };
    const amount = atomic(fresh);
    const over = overLimit(limitsOf(policy, spent, at, ofCall), fresh);
    if (over !== undefined) return { why: 'limit', amount, over };
    const above = policy.approveAbove;
    if (above === undefined || ofCall + fresh <= above) return undefined;
    if (useApproval(db, spending, atomic(ofCall + fresh), at)) return undefined;
    return { why: 'approval', amount: atomic(ofCall + fresh), above, network };
  })();
  if (refusal === undefined) return undefined;
  if (digest !== undefined) throw new SpendingRefused(refusal);
  const left = refusal.why === 'limit' ? refusal.over.left : 0n;
  const spendable = atomic(leaving - fresh + left);
  return { refused: 'insufficient-funds', account, spendable, needed: atomic(leaving) };
}

/** Uses the approval of this very call up, in the transaction that takes its money. */
function useApproval(db: Decider, spending: Spending, amount: Atomic, at: Instant): boolean {
  const { keyId, account, digest, isApproved } = spending;
  if (isApproved === true) return true;
  if (digest === undefined) return false;
  const approval = db.find(KEY_APPROVALS, { account, keyId, digest: digest() });
  if (approval?.state === 'rejected' && at < approval.expiresAt) {
    throw new SpendingRefused({ why: 'forbids', text: 'The owner rejected this very call.' });
  }
  if (approval?.state !== 'approved' || approval.expiresAt <= at) return false;
  if (approval.amount < amount) return false;
  const approver = { keyId: approval.decidedBy ?? keyId, account };
  if (!isUnlimited(db.find(KEY_POLICIES, approver), at)) return false;
  db.put(KEY_APPROVALS, approval, { ...approval, state: 'used' });
  db.spending = { ...spending, isApproved: true };
  return true;
}

/**
 * Where a policy names counterparties, money goes to those and to the prices of the hub and its
 * models alone: the receiver of what is held for others is not known yet.
 */
function whyNotTo(policy: KeyPolicy, parts: readonly Taking[]): string | undefined {
  if (policy.counterparties === undefined) return undefined;
  for (const { step } of parts) {
    const receivers = receiversOf(step);
    if (receivers === undefined) {
      return 'The policy of this key names its counterparties, and this may end with another one.';
    }
    for (const to of receivers) {
      const text = to === FEES ? undefined : whyNotPaid(policy, to);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/** Undefined while that is open. Of a hold for a model the hub keeps the price. */
function receiversOf(step: Taking['step']): readonly Account[] | undefined {
  if (step.verb === 'move') return [step.to];
  if (step.verb === 'capture') return step.to.map(({ account }) => account);
  return step.kind === 'model' ? [FEES] : undefined;
}

function whyNotOn({ networks }: KeyPolicy, network: NetworkId): string | undefined {
  if (networks === undefined || networks.includes(network)) return undefined;
  return `The policy of this key allows the networks ${listed(networks)}, and not ${network}.`;
}
