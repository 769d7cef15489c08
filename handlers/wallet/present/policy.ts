import type { Approval } from '../../../db/wallet/approvals.ts';
import { spentOf, type KeyRule } from '../../../db/wallet/policies.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { Atomic } from '../../../domain/money.ts';
import { ASSET } from '../../../domain/network.ts';
import { limitsOf, type KeyPolicy } from '../../../domain/wallet/policy.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { BudgetChange, BudgetSet } from '../../../workflows/wallet/apiKeyBudget.ts';
import type { Remains } from '../../../workflows/wallet/remainsOfKey.ts';

/** A policy with what is used and left of it; nothing for a key without one. */
export function presentSpending(
  rule: KeyRule,
  now: Instant,
): { readonly spending?: Schemas['KeyLimits'] } {
  const { policy, setBy, setAt } = rule;
  if (policy === undefined) return {};
  const limits = limitsOf(policy, spentOf(rule), now).map(({ resetsAt, ...limit }) => ({
    window: limit.window,
    limit: limit.limit,
    used: limit.used,
    left: limit.left,
    resetsAt,
  }));
  return { spending: { policy: presentPolicy(policy), setBy, setAt, limits } };
}

export function presentPolicy(policy: KeyPolicy): Schemas['KeyPolicy'] {
  const { perCall, perHour, perDay, perMonth, approveAbove, expiresAt } = policy;
  const text = (amount: Atomic | undefined): string | undefined =>
    amount === undefined ? undefined : `${amount}`;
  return {
    perCall: text(perCall),
    perHour: text(perHour),
    perDay: text(perDay),
    perMonth: text(perMonth),
    approveAbove: text(approveAbove),
    expiresAt: expiresAt && expiresAt,
    operations: copyOf(policy.operations),
    counterparties: copyOf(policy.counterparties),
    tools: copyOf(policy.tools),
    models: copyOf(policy.models),
    networks: copyOf(policy.networks),
  };
}

function copyOf<T>(names: readonly T[] | undefined): T[] | undefined {
  return names && [...names];
}

export function presentRule(
  rule: KeyRule,
  now: Instant,
): Pick<Schemas['KeyState'], 'spending' | 'revokedAt' | 'revokedBy'> {
  const { revokedAt, revokedBy } = rule;
  return {
    ...presentSpending(rule, now),
    revokedAt,
    revokedBy,
  };
}

export function presentKeyState(rule: KeyRule, now: Instant): Schemas['KeyState'] {
  const { account: owner, keyId } = rule;
  return { owner, keyId, ...presentRule(rule, now) };
}

/** The same of an API key, or of the ceiling of an account. */
export function presentBudget(
  keyId: string,
  { account: owner, by: setBy, at: setAt }: BudgetChange,
  { policy, limits }: BudgetSet,
): Schemas['KeyState'] {
  if (policy === undefined) return { owner, keyId };
  const shown = limits.map((limit) => ({ ...limit }));
  return { owner, keyId, spending: { policy: presentPolicy(policy), setBy, setAt, limits: shown } };
}

/** Nothing for a key that leaves nothing behind. */
export function presentRemains({
  grants,
  domains,
  listings,
}: Remains): Pick<Schemas['KeyState'], 'remains'> {
  if (grants.length + domains.length + listings.length === 0) return {};
  return {
    remains: {
      grants,
      domains: domains.map(({ domain }) => domain),
      listings: listings.map(({ id, verification }) => ({ id, verification })),
    },
  };
}

export function presentApproval(approval: Approval): Schemas['Approval'] {
  const { id, keyId, operation, request, network, state, decidedAt, decidedBy } = approval;
  return {
    id,
    keyId,
    operation,
    request,
    network,
    state,
    amount: approval.amount,
    asset: ASSET,
    askedAt: approval.askedAt,
    expiresAt: approval.expiresAt,
    decidedAt,
    decidedBy,
  };
}
