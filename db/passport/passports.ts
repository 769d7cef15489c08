import { keyAccount, type Account, type KeyId } from '../../domain/account.ts';
import { keyId, moment, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';
import { ownKey } from '../wallet/homes.ts';

/** Passports: a key, what it goes by, and since when. */
export const PASSPORTS = table(
  'passports',
  {
    keyId: keyId().key(),
    displayName: text().optional(),
    bio: text().optional(),
    createdAt: moment().fixed(),
  },
  {
    use: 'single',
    personal: {
      owner: 'key_id',
      through: 'keys',
      stays: 'Proofs of domains and karma name it; name and bio are erased.',
    },
  },
);
export type Passport = RowIn<typeof PASSPORTS>;

const READ = statement('SELECT * FROM passports WHERE key_id = ?');

export async function readPassport(db: Reader, keyId: KeyId): Promise<Passport | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [keyId]));
  return row && PASSPORTS.fromRow(row);
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
  ${PASSPORTS.insertion} ON CONFLICT (key_id) DO UPDATE SET
    display_name = coalesce(excluded.display_name, passports.display_name),
    bio = coalesce(excluded.bio, passports.bio)`);

/** Makes the passport when there is none, and changes what is given. */
export async function savePassport(tx: Writer, passport: Passport): Promise<void> {
  await linkOf(tx).rows(SAVE, PASSPORTS.cells(passport));
}
