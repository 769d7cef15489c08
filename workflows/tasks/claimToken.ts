import { createHmac } from 'node:crypto';
import type { KeyId } from '../../domain/account.ts';
import type { ClaimToken } from '../../domain/tasks/claim.ts';
import type { Attempt } from '../../domain/tasks/model.ts';
import type { Hub } from '../kernel/hub.ts';
import { openKeySecrets } from '../kernel/keys/keySecret.ts';

/**
 * Claim tokens are never stored (threats.token-leak, choices tasks.leases): HMAC-SHA256 of the
 * attempt under a secret that takes the hub's key file. A holder that claims again gets the same
 * one, and the database has only hashes.
 */
const secretOf = openKeySecrets('hub/tasks/claim-token/v1');

/** The token of an attempt, by the key that it began with as long as that key is here. */
export function claimToken(
  hub: Hub,
  { id, tokenKey }: Pick<Attempt, 'id' | 'tokenKey'>,
): ClaimToken {
  const first = tokenKey === undefined ? undefined : hub.keys.find(tokenKey as KeyId);
  const key = first ?? hub.keys.current();
  const token = createHmac('sha256', secretOf(key)).update(id).digest('base64url');
  return { claimToken: token, tokenKey: key.keyId };
}
