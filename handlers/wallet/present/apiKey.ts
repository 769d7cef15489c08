import type { ApiKey } from '../../../db/wallet/apiKeys.ts';
import { iso } from '../../../domain/instant.ts';
import type { components } from '../../../generated/types.ts';

export function presentKept(key: ApiKey): components['schemas']['KeptApiKey'] {
  const { id, hint, label, createdAt, revokedAt } = key;
  return {
    id,
    hint,
    ...(label !== undefined && { label }),
    createdAt: iso(createdAt),
    revoked: revokedAt !== undefined,
    ...(revokedAt !== undefined && { revokedAt: iso(revokedAt) }),
  };
}
