import type { ApiKey } from '../../../db/wallet/apiKeys.ts';
import { defined } from '../../../domain/defined.ts';
import { iso } from '../../../domain/instant.ts';
import type { components } from '../../../generated/types.ts';

export function presentKept(key: ApiKey): components['schemas']['KeptApiKey'] {
  const { id, hint, label, createdAt, revokedAt } = key;
  return {
    id,
    hint,
    ...defined({ label }),
    createdAt: iso(createdAt),
    revoked: revokedAt !== undefined,
    ...(revokedAt !== undefined && { revokedAt: iso(revokedAt) }),
  };
}
