import type { ApiKey } from '../../../db/wallet/apiKeys.ts';
import { presentPolicy } from './policy.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

export function presentKept(key: ApiKey): Schemas['KeptApiKey'] {
  const { id, hint, label, createdAt, revokedAt, policy } = key;
  return {
    id,
    hint,
    label,
    ...(policy && { policy: presentPolicy(policy) }),
    createdAt,
    revoked: revokedAt !== undefined,
    revokedAt,
  };
}
