import { parseKeyId, type Account, type KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { account, keyId, moment } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import type { Decider } from '../batch/transaction.ts';

/**
 * A key acts for the account in its own name, and may join another until that account was used:
 * until it did something that was stored, or was named as a payee (choices wallet.binding). The
 * first row decides permanently, also between two concurrent calls.
 */
const HOME = statement('SELECT account FROM key_homes WHERE key_id = ?');
const SETTLE = statement(`INSERT INTO key_homes (key_id, account, settled_at) VALUES (?, ?, ?)
  ON CONFLICT (key_id) DO NOTHING RETURNING 1 AS done`);

/** Returns the account of a key, which is permanent; undefined while it may still join another. */
export async function homeOf(db: Reader, keyId: KeyId): Promise<Account | undefined> {
  const row = column.one(await linkOf(db).rows(HOME, [keyId]));
  return row && column.account(row, 'account');
}

/** Settles a key where it was not settled before; answers where it acts. */
export async function settleKey(
  tx: Writer,
  keyId: KeyId,
  to: Account,
  at: Instant,
): Promise<Account> {
  const settled = await homeOf(tx, keyId);
  if (settled !== undefined) return settled;
  if ((await linkOf(tx).rows(SETTLE, [keyId, to, at])).length > 0) return to;
  return (await homeOf(tx, keyId)) ?? to;
}

export const KEY_HOMES = table(
  'key_homes',
  { keyId: keyId().key(), account: account().fixed(), settledAt: moment().fixed() },
  { personal: { apart: 'repeats keys' }, lock: 'none' },
);

export function settleHome(db: Decider, keyId: KeyId, to: Account, at: Instant): Account {
  const home = db.find(KEY_HOMES, keyId);
  if (home !== undefined) return home.account;
  db.put(KEY_HOMES, keyId, { keyId, account: to, settledAt: at });
  return to;
}

/** Returns the key in an account's name; undefined for accounts that are named after none. */
export function ownKey(of: Account): KeyId | undefined {
  return of.startsWith('key:') ? parseKeyId(of.slice('key:'.length)) : undefined;
}
