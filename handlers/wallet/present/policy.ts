import type { Approval } from '../../../db/wallet/approvals.ts';
import { spentOf, type KeyRule } from '../../../db/wallet/policies.ts';
import { defined } from '../../../domain/defined.ts';
import { iso, type Instant } from '../../../domain/instant.ts';
import type { Atomic } from '../../../domain/money.ts';
import { limitsOf, type KeyPolicy } from '../../../domain/wallet/policy.ts';
import type { components } from '../../../generated/types.ts';
import type { Remains } from '../../../workflows/wallet/remainsOfKey.ts';

type Schemas = components['schemas'];

/** A policy with what is used and left of it; nothing for a key without one. */
export function presentSpending(
  rule: KeyRule,
  now: Instant,
): { readonly spending?: Schemas['KeyLimits'] } {
  const { policy, setBy, setAt } = rule;
  if (policy === undefined) return {};
  const limits = limitsOf(policy, spentOf(rule), now).map(({ resetsAt, ...limit }) => ({
    window: limit.window,
    limit: `${limit.limit}`,
    used: `${limit.used}`,
    left: `${limit.left}`,
    ...(resetsAt !== undefined && { resetsAt: iso(resetsAt) }),
  }));
  return { spending: { policy: presentPolicy(policy), setBy, setAt: iso(setAt), limits } };
}

function presentPolicy(policy: KeyPolicy): Schemas['KeyPolicy'] {
  const { perCall, perHour, perDay, perMonth, approveAbove, expiresAt } = policy;
  const text = (amount: Atomic | undefined): string | undefined =>
    amount === undefined ? undefined : `${amount}`;
  return {
    ...defined({
      perCall: text(perCall),
      perHour: text(perHour),
      perDay: text(perDay),
      perMonth: text(perMonth),
      approveAbove: text(approveAbove),
      expiresAt: expiresAt && iso(expiresAt),
      operations: copyOf(policy.operations),
      counterparties: copyOf(policy.counterparties),
      tools: copyOf(policy.tools),
      models: copyOf(policy.models),
      networks: copyOf(policy.networks),
    }),
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
    ...(revokedAt !== undefined && { revokedAt: iso(revokedAt) }),
    ...defined({ revokedBy }),
  };
}

export function presentKeyState(rule: KeyRule, now: Instant): Schemas['KeyState'] {
  const { account: owner, keyId } = rule;
  return { owner, keyId, ...presentRule(rule, now) };
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
      grants: grants.map(({ at, ...grant }) => ({ ...grant, at: iso(at) })),
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
    amount: `${approval.amount}`,
    askedAt: iso(approval.askedAt),
    expiresAt: iso(approval.expiresAt),
    ...(decidedAt !== undefined && { decidedAt: iso(decidedAt) }),
    ...defined({ decidedBy }),
  };
}
