import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { InsufficientFunds, Transfer } from '../../domain/ledger/transfer.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import {
  limitsOf,
  listed,
  overLimit,
  whyNotPaid,
  type KeyPolicy,
  type LimitState,
  type Spent,
} from '../../domain/wallet/policy.ts';
import type { Taking } from '../../domain/wallet/spentParts.ts';
import type { Decider } from '../batch/transaction.ts';
import type { Spending } from '../spender.ts';
import { KEY_APPROVALS, type Approval } from '../wallet/approvals.ts';
import { endOf, isUnlimited, KEY_POLICIES, type KeyRule } from '../wallet/policies.ts';
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
      /** The decided approval of this very call that was found, and permits nothing any more. */
      readonly seen?: string;
    };

export const REJECTED_CALL = 'The owner rejected this very call.';

/** Thrown by `post`, so nothing of the unit stays; `server/dispatch/units.ts` makes it a refusal. */
export class SpendingRefused extends Error {
  readonly refusal: SpendingRefusal;

  constructor(refusal: SpendingRefusal) {
    super(`the policy of the key stops it: ${refusal.why}`);
    this.name = 'SpendingRefused';
    this.refusal = refusal;
  }
}

/** A taking under the policy of its key. */
export interface Judged {
  readonly rule: KeyRule;
  readonly spending: Spending;
  /** The counts of the key with what is taken again of what was given back. */
  readonly spent: Spent;
  /** The amount that the call at hand took before. */
  readonly ofCall: bigint;
  /** The part of what leaves that was neither held before nor given back in this unit. */
  readonly fresh: bigint;
  readonly leaving: bigint;
  /** Those that take something for the first time. */
  readonly parts: readonly Taking[];
}

/** Refuses a taking: by a throw in a call, by the refusal of an empty account without one. */
export function judgeTaking(
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
    const total = atomic(ofCall + fresh);
    const found = spending.isApproved === true ? undefined : approvalOf(db, spending, at);
    if (spending.isApproved === true || useApproval(db, spending, found, total, at))
      return undefined;
    return {
      why: 'approval',
      amount: total,
      above,
      network,
      ...(found && found.state !== 'open' && { seen: found.id }),
    };
  })();
  if (refusal === undefined) return undefined;
  if (digest !== undefined) throw new SpendingRefused(refusal);
  const left = refusal.why === 'limit' ? refusal.over.left : 0n;
  const spendable = atomic(leaving - fresh + left);
  return { refused: 'insufficient-funds', account, spendable, needed: atomic(leaving) };
}

/** The approval of this very call, which its owner may have rejected. */
function approvalOf(db: Decider, spending: Spending, at: Instant): Approval | undefined {
  const { keyId, account, digest } = spending;
  if (digest === undefined) return undefined;
  const found = db.find(KEY_APPROVALS, { account, keyId, digest: digest() });
  if (found?.state === 'rejected' && at < found.expiresAt) {
    throw new SpendingRefused({ why: 'forbids', text: REJECTED_CALL });
  }
  return found;
}

/** Uses an approval up, in the transaction that takes its money. */
function useApproval(
  db: Decider,
  spending: Spending,
  approval: Approval | undefined,
  amount: Atomic,
  at: Instant,
): boolean {
  if (approval?.state !== 'approved' || approval.expiresAt <= at) return false;
  if (approval.amount < amount) return false;
  const { keyId, account } = spending;
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
