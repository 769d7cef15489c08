import { accountOfKey } from '../../db/wallet/keys.ts';
import type { Reader } from '../../db/store.ts';
import { type Account, accountClass, parseKeyId } from '../../domain/account.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';

/** Refuses the house's own accounts as receivers: only the hub's own rules move money there. */
export function mustTakePayments(to: Account, field: string): void {
  if (accountClass(to) === 'user') return;
  refuse('bad-account', {
    error: `${field} names ${to}; the hub's own accounts take no payments.`,
    hint: 'Name a key: account.',
    field,
  });
}

/**
 * Refuses a receiver that money would be lost on: an account whose key was bound to another one, so
 * that nobody signs for it any more.
 */
export async function mustBeSpendable(
  hub: Hub,
  db: Reader,
  to: Account,
  field: string,
): Promise<void> {
  const keyId = to.startsWith('key:') ? parseKeyId(to.slice('key:'.length)) : undefined;
  if (keyId === undefined) return;
  const actsFor = hub.callers.boundAccount(keyId) ?? (await accountOfKey(db, keyId));
  if (actsFor === undefined || actsFor === to) return;
  refuse('bad-account', {
    error: `${field} names ${to}, but its key signs for another account; the money would be lost.`,
    hint: 'Ask the receiver which account its key signs for: GET /api/v1/me tells it.',
    field,
  });
}
