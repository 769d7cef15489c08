import type { BoundKey } from '../../../db/wallet/keys.ts';
import { PROPOSAL_KEPT_SECONDS, type Proposal } from '../../../db/wallet/proposals.ts';
import { keyAccount } from '../../../domain/account.ts';
import { iso, plus, type Instant } from '../../../domain/instant.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

type Step = Schemas['BoundKey']['next'][number];

export function presentBound(key: BoundKey): Schemas['BoundKey'] {
  return {
    owner: key.account,
    publicKey: key.keyId,
    state: 'bound',
    ...(key.label !== null && { label: key.label }),
    requestedAt: key.requestedAt,
    boundAt: key.boundAt,
    ...(key.boundBy !== null && { boundBy: key.boundBy }),
    next: [],
  };
}

/** A pending key comes with the request that the account, the key or both still have to sign. */
export function presentProposed(proposal: Proposal): Schemas['BoundKey'] {
  const { account: owner, keyId: publicKey, proposedAt, byAccount, byKeyAt } = proposal;
  const label = proposal.label === null ? {} : { label: proposal.label };
  const until = (at: Instant): string => iso(plus(at, PROPOSAL_KEPT_SECONDS));
  const latest = Math.max(proposedAt, byAccount?.at ?? 0, byKeyAt ?? 0) as Instant;
  const path = `/api/v1/wallet/${owner}/keys`;
  const call: Step['call'] = { method: 'POST', path, body: { publicKey, ...label } };
  const step = (who: string, other: Instant | undefined): Step => ({
    action: 'wallet.bindKey',
    who,
    call,
    until: until(other ?? latest),
  });
  return {
    owner,
    publicKey,
    state: 'pending',
    ...label,
    requestedAt: proposedAt,
    expiresAt: until(latest),
    signedBy: [
      ...(byAccount === undefined ? [] : (['account'] as const)),
      ...(byKeyAt === undefined ? [] : (['key'] as const)),
    ],
    next: [
      ...(byAccount === undefined ? [step(owner, byKeyAt)] : []),
      ...(byKeyAt === undefined ? [step(keyAccount(publicKey), byAccount?.at)] : []),
    ],
  };
}

/**
 * Presents a request to a caller that does not act for the account. Labels and signatures are the
 * account's own, so this shows only what the request itself said.
 */
export function presentAsked(
  proposal: Proposal,
  { label, isKey }: { readonly label: string | undefined; readonly isKey: boolean },
): Schemas['BoundKey'] {
  return presentProposed({
    ...proposal,
    label: label === proposal.label ? proposal.label : null,
    byAccount: undefined,
    byKeyAt: isKey ? proposal.byKeyAt : undefined,
  });
}
