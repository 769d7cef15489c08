import type { Account, KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';

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

const namesOf = (which: string): string => `
  SELECT key_id, display_name FROM passports
  WHERE display_name IS NOT NULL AND key_id ${which} ORDER BY key_id`;
const NAMES = statement(
  namesOf('IN (SELECT value FROM json_each(?))'),
  namesOf('= ANY(?::text[])'),
);
const PREFIX = 'key:';

/** The display names of accounts by the passport of their first key; accounts without one are absent. */
export async function displayNames(
  db: Reader,
  accounts: readonly Account[],
): Promise<{ readonly account: Account; readonly name: string }[]> {
  const accountOf = new Map(accounts.map((account) => [account.slice(PREFIX.length), account]));
  const rows = await linkOf(db).rows(NAMES, [[...accountOf.keys()]]);
  return rows.flatMap((row) => {
    const account = accountOf.get(column.text(row, 'key_id'));
    return account === undefined ? [] : [{ account, name: column.text(row, 'display_name') }];
  });
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
