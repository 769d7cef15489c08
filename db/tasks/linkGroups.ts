import type { Account } from '../../domain/account.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { LINKS_AMONG } from './linkLookups.ts';
import { groupsBy } from './links.ts';

const AMONG = `${LINKS_AMONG('SELECT account FROM among')}`;
const OF_MANY = statement(
  `WITH among AS (SELECT value AS account FROM json_each(?)) ${AMONG}`,
  `WITH among AS (SELECT unnest(?::text[]) AS account) ${AMONG}`,
);

export async function linkGroups(
  db: Reader,
  accounts: readonly Account[],
): Promise<ReadonlyMap<Account, string>> {
  const rows = await linkOf(db).rows(OF_MANY, [accounts]);
  const links = rows.map(
    (row) => [column.text(row, 'account'), column.text(row, 'other')] as const,
  );
  return groupsBy(accounts, links);
}
