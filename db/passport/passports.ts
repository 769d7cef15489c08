import { keyAccount, type Account, type KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { ownKey } from '../wallet/homes.ts';

/** Passports: a key, what it goes by, and since when. */
export interface Passport {
  readonly keyId: KeyId;
  readonly displayName?: string;
  readonly bio?: string;
  readonly createdAt: Instant;
}

const READ = statement('SELECT display_name, bio, created_at FROM passports WHERE key_id = ?');

export async function readPassport(db: Reader, keyId: KeyId): Promise<Passport | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [keyId]));
  if (row === undefined) return undefined;
  const [displayName, bio] = [
    column.textOrNull(row, 'display_name'),
    column.textOrNull(row, 'bio'),
  ];
  return {
    keyId,
    ...(displayName !== null && { displayName }),
    ...(bio !== null && { bio }),
    createdAt: column.time(row, 'created_at'),
  };
}

const NAMES = inListStatement(
  (given) => `
  SELECT key_id, display_name FROM passports
  WHERE display_name IS NOT NULL AND key_id ${given} ORDER BY key_id`,
);

/** The display names of accounts by the passport of their first key; accounts without one are absent. */
export async function displayNames(
  db: Reader,
  accounts: readonly Account[],
): Promise<{ readonly account: Account; readonly name: string }[]> {
  const keys = accounts.flatMap((account) => ownKey(account) ?? []);
  const rows = await linkOf(db).rows(NAMES, [keys]);
  return rows.map((row) => ({
    account: keyAccount(column.text(row, 'key_id') as KeyId),
    name: column.text(row, 'display_name'),
  }));
}

const SAVE = statement(`
  INSERT INTO passports (key_id, display_name, bio, created_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (key_id) DO UPDATE SET
    display_name = coalesce(excluded.display_name, passports.display_name),
    bio = coalesce(excluded.bio, passports.bio)`);

/** Makes the passport when there is none, and changes what is given. */
export async function savePassport(tx: Writer, passport: Passport): Promise<void> {
  const { keyId, displayName, bio, createdAt } = passport;
  await linkOf(tx).rows(SAVE, [keyId, displayName ?? null, bio ?? null, createdAt]);
}
