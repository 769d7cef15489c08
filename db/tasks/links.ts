import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { account as accountColumn, moment, text } from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/** Accounts with the same `shared` text are one party; both consented (choices tasks.linked). */
export const ACCOUNT_LINKS = table(
  'account_links',
  { account: accountColumn().key(), shared: text().key(), at: moment() },
  {
    use: 'single',
    personal: { apart: 'links of accounts, which are data of another account too' },
  },
);

/** Queries the accounts that share a key, a proved address or a proved domain with an account. */
export const PARTY_OF = (keyId: string, account: string): string => `
  SELECT account FROM keys WHERE key_id = ${keyId}
  UNION SELECT 'key:' || key_id FROM keys WHERE account = ${account}
  UNION SELECT o.account FROM account_links p JOIN account_links o ON o.shared = p.shared
    WHERE p.account = ${account}`;
const PARTY = statement(PARTY_OF('?', '?'));

/** An account with all linked to it: one party wherever gains count (choices karma.farming). */
export async function partyOf(db: Reader, account: Account): Promise<readonly Account[]> {
  if (account.startsWith('hub:')) return [account];
  const rows = await linkOf(db).rows(PARTY, [account.slice(4), account, account]);
  return [...new Set([account, ...rows.map((row) => column.account(row, 'account'))])];
}

/** Whether two accounts are one party wherever self-dealing is asked (choices tasks.linked). */
export async function linked(db: Reader, a: Account, b: Account): Promise<boolean> {
  return a === b || (await partyOf(db, a)).includes(b);
}

const LINK = statement(`
  ${ACCOUNT_LINKS.insertion} ON CONFLICT (account, shared) DO NOTHING`);

/**
 * Links an account to all others that were linked by the same text. The caller has the proof of
 * both sides: an account that acts alone must never reach this.
 */
export async function addLink(
  tx: Writer,
  account: Account,
  shared: string,
  at: Instant,
): Promise<void> {
  await linkOf(tx).rows(LINK, ACCOUNT_LINKS.cells({ account, shared, at }));
}

const LINKED_BY = statement('SELECT 1 AS yes FROM account_links WHERE account = ? AND shared = ?');

export async function isLinkedBy(db: Reader, account: Account, shared: string): Promise<boolean> {
  return (await linkOf(db).rows(LINKED_BY, [account, shared])).length > 0;
}

/** Two accounts, or an account and what it has proved, that are one party. */
export type Link = readonly [one: string, other: string];

/** Returns the group of each account by the links of all: linked accounts have the same one. */
export function groupsBy(
  accounts: readonly Account[],
  links: readonly Link[],
): ReadonlyMap<Account, string> {
  const groups = new Map<string, string>();
  const groupOf = (name: string): string => {
    const above = groups.get(name);
    return above === undefined || above === name ? name : groupOf(above);
  };
  for (const link of links) {
    const [first = '', second = ''] = link.map(groupOf).sort();
    groups.set(second, first);
  }
  return new Map(accounts.map((account) => [account, groupOf(account)]));
}

const KEYS = statement(
  '',
  'SELECT 1 AS yes FROM keys WHERE account = ? ORDER BY key_id FOR UPDATE',
);

/** Locks key rows on PostgreSQL, since an account's limits are counted over several tasks. */
export async function lockWorker(tx: Writer, account: Account): Promise<void> {
  const link = linkOf(tx);
  if (link.dialect === 'postgres') await link.rows(KEYS, [account]);
}
