import type { Account, KeyId } from '../../domain/account.ts';
import type { Reason } from '../../domain/ledger/reasons.ts';
import type {
  Commitment,
  CommitmentId,
  InsufficientFunds,
  Step,
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

/** The key that took the commitments which a transfer opens, and when that was counted. */
export interface SpentBy {
  readonly spender: KeyId;
  readonly spentAt: Instant;
}

/**
 * Counts what a transfer takes from the account of the unit's key, or gives back to the key that
 * held it, under both policies (choices wallet.policies). Throws `SpendingRefused` where the policy
 * of the calling key stops it; a unit without a call gets the refusal of an empty account. What the
 * hub decides in passing, for its clock or a debt, is no spending of the key.
 */
export function countSpending(
  db: Decider,
  transfer: Transfer,
  commitments: ReadonlyMap<CommitmentId, Commitment>,
): SpentBy | InsufficientFunds | undefined {
  giveBack(db, transfer.steps, commitments);
  const { spending } = db;
  if (spending === undefined) return undefined;
  const parts = leavingFrom(db, spending, transfer, commitments);
  const leaving = parts.reduce((sum, { amount }) => sum + amount, 0n);
  const { credit, creditAt } = spending;
  const again = leaving < credit ? leaving : credit;
  const fresh = transfer.actor === spending.account ? leaving - again : 0n;
  if (again + fresh === 0n) return undefined;
  const rule = db.find(KEY_POLICIES, spending);
  if (rule === undefined) return undefined;
  // A unit without a call of its own goes on with one whose hold it gave back.
  const ofCall = spending.taken + (spending.digest === undefined ? again : 0n);
  let spent = spentOf(rule);
  if (creditAt !== undefined) spent = takeAgain(spent, again, creditAt);
  if (fresh > 0n) {
    const refused = judge(db, transfer, { rule, spending, spent, ofCall, fresh, leaving, parts });
    if (refused !== undefined) return refused;
  }
  if (fresh > 0n) spent = take(spent, fresh, transfer.at);
  db.put(KEY_POLICIES, rule, withSpent(rule, spent));
  const { isApproved = false } = db.spending ?? {};
  db.spending = {
    ...spending,
    taken: ofCall + fresh,
    credit: credit - again,
    isApproved,
  };
  const spentAt = again > 0n && creditAt !== undefined ? creditAt : spent.at;
  return { spender: rule.keyId, spentAt };
}

/** Releases reduce the window in which their hold was counted; captures were counted by the hold. */
function giveBack(
  db: Decider,
  steps: readonly Step[],
  commitments: ReadonlyMap<CommitmentId, Commitment>,
): void {
  for (const [id, amount] of releasedBy(steps, commitments)) {
    const { spender: keyId, spentAt } = db.find(COMMITMENTS, id) ?? {};
    const account = commitments.get(id)?.account;
    if (keyId === undefined || spentAt === undefined || account === undefined) continue;
    const rule = db.find(KEY_POLICIES, { keyId, account });
    if (rule === undefined) continue;
    db.put(KEY_POLICIES, rule, withSpent(rule, takeAgain(spentOf(rule), -amount, spentAt)));
    const spending = db.spending ?? spendingOf({ keyId, account });
    if (spending.keyId !== keyId || spending.account !== account) continue;
    db.spending = { ...spending, credit: spending.credit + amount, creditAt: spentAt };
  }
}

function releasedBy(
  steps: readonly Step[],
  commitments: ReadonlyMap<CommitmentId, Commitment>,
): ReadonlyMap<CommitmentId, bigint> {
  const captured = new Map<CommitmentId, bigint>();
  const released = new Map<CommitmentId, bigint>();
  for (const step of steps) {
    if (step.verb === 'capture') {
      const sum = step.to.reduce((total, { amount }) => total + amount, 0n);
      captured.set(step.commitment, (captured.get(step.commitment) ?? 0n) + sum);
    }
    if (step.verb !== 'release') continue;
    const before = (captured.get(step.commitment) ?? 0n) + (released.get(step.commitment) ?? 0n);
    const remaining = (commitments.get(step.commitment)?.remaining ?? 0n) - before;
    const amount = step.amount ?? remaining;
    if (amount > 0n) {
      released.set(step.commitment, (released.get(step.commitment) ?? 0n) + amount);
    }
  }
  return released;
}

/** A part of a transfer that leaves an account, or is held in it. */
interface Leaving {
  readonly amount: bigint;
  /** Who gets it; undefined while that is open. Of a hold for a model the hub keeps the price. */
  readonly to?: Account;
}

/** The borrower decided on these by taking the loan. */
const REPAYMENTS: readonly Reason[] = ['loan.repay', 'loan.origination'];

/**
 * The parts of a transfer that leave the account of a key. What is captured was counted by its hold,
 * unless another key held it and the account now decides that it is paid.
 */
function leavingFrom(
  db: Decider,
  { account, keyId }: Spending,
  { steps, actor }: Transfer,
  commitments: ReadonlyMap<CommitmentId, Commitment>,
): readonly Leaving[] {
  return steps.flatMap((step): readonly Leaving[] => {
    switch (step.verb) {
      case 'move':
        return step.from === account && !REPAYMENTS.includes(step.reason) ? [step] : [];
      case 'hold':
        if (step.account !== account) return [];
        return [{ amount: step.amount, ...(step.kind === 'model' && { to: FEES }) }];
      case 'capture': {
        const isDecided =
          actor === account && commitments.get(step.commitment)?.account === account;
        if (!isDecided || db.find(COMMITMENTS, step.commitment)?.spender === keyId) return [];
        return step.to.map(({ account: to, amount }) => ({ to, amount }));
      }
      case 'release':
        return [];
    }
  });
}

interface Judged {
  readonly rule: KeyRule;
  readonly spending: Spending;
  /** The counts of the key with what is taken again of what was given back. */
  readonly spent: Spent;
  /** The amount that the call at hand took before. */
  readonly ofCall: bigint;
  /** Of what leaves, what was not given back in this unit before. */
  readonly fresh: bigint;
  readonly leaving: bigint;
  readonly parts: readonly Leaving[];
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
function whyNotTo(policy: KeyPolicy, parts: readonly Leaving[]): string | undefined {
  if (policy.counterparties === undefined) return undefined;
  for (const { to } of parts) {
    if (to === undefined) {
      return 'The policy of this key names its counterparties, and this may end with another one.';
    }
    const text = to === FEES ? undefined : whyNotPaid(policy, to);
    if (text !== undefined) return text;
  }
  return undefined;
}

function whyNotOn({ networks }: KeyPolicy, network: NetworkId): string | undefined {
  if (networks === undefined || networks.includes(network)) return undefined;
  return `The policy of this key allows the networks ${listed(networks)}, and not ${network}.`;
}
