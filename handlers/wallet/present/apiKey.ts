import type { ApiKey } from '../../../db/wallet/apiKeys.ts';
import type { Schemas } from '../../../server/hub/answered.ts';

export function presentKept(key: ApiKey): Schemas['KeptApiKey'] {
  const { id, hint, label, createdAt, revokedAt } = key;
  return {
    id,
    hint,
    label,
    createdAt,
    revoked: revokedAt !== undefined,
    revokedAt,
  };
}
