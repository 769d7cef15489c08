import { PROPOSAL_KEPT_SECONDS, type BoundKey, type ProposedKey } from '../../../db/wallet/keys.ts';
import { iso, plus } from '../../../domain/instant.ts';
import type { components } from '../../../generated/types.ts';

type Schemas = components['schemas'];

export function presentBound(key: BoundKey): Schemas['BoundKey'] {
  return {
    owner: key.account,
    publicKey: key.keyId,
    state: 'bound',
    ...(key.label !== null && { label: key.label }),
    requestedAt: iso(key.requestedAt),
    boundAt: iso(key.boundAt),
    ...(key.boundBy !== null && { boundBy: key.boundBy }),
    next: [],
  };
}

/** A pending key comes with the request that binds it, to be signed by a bound key. */
export function presentProposed(key: ProposedKey): Schemas['BoundKey'] {
  const expiresAt = iso(plus(key.proposedAt, PROPOSAL_KEPT_SECONDS));
  const label = key.label === null ? {} : { label: key.label };
  const { account: owner, keyId: publicKey } = key;
  return {
    owner,
    publicKey,
    state: 'pending',
    ...label,
    requestedAt: iso(key.proposedAt),
    expiresAt,
    next: [
      {
        action: 'wallet.bindKey',
        who: owner,
        call: {
          method: 'POST',
          path: `/api/v1/wallet/${owner}/keys`,
          body: { publicKey, ...label },
        },
        until: expiresAt,
      },
    ],
  };
}
