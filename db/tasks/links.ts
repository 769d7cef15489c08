import type { Account } from '../../domain/account.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';

/**
 * Whoever proved a domain that another account proved as well, or is paid out to the same address,
 * has it in common with that one.
 */
export const PARTY_OF = (keyId: string, account: string): string => `
  SELECT account FROM keys WHERE key_id = ${keyId}
  UNION SELECT 'key:' || key_id FROM keys WHERE account = ${account}
  UNION SELECT o.account FROM domain_provers p JOIN domain_provers o ON o.domain = p.domain
    WHERE p.account = ${account}
  UNION SELECT o.account FROM payout_addresses p JOIN payout_addresses o ON o.address = p.address
    WHERE p.account = ${account}`;
const PARTY = statement(PARTY_OF('?', '?'));

/**
 * An account with all that are linked to it: one party wherever gains are counted (choices
 * karma.entries).
 */
export async function partyOf(db: Reader, account: Account): Promise<readonly Account[]> {
  if (!account.startsWith('key:')) return [account];
  const rows = await linkOf(db).rows(PARTY, [account.slice(4), account, account, account]);
  return [...new Set([account, ...rows.map((row) => column.account(row, 'account'))])];
}

/**
 * True for one account, for two of which one holds the other's own key, and for a shared domain or
 * payout address: linked accounts are one party wherever self-dealing is asked (choices
 * tasks.linked).
 */
export async function linked(db: Reader, a: Account, b: Account): Promise<boolean> {
  return a === b || (await partyOf(db, a)).includes(b);
}

const EDGES_OF = (among: string): string => `
  SELECT account, 'key:' || key_id AS other FROM keys
    WHERE account ${among} OR 'key:' || key_id ${among}
  UNION ALL SELECT account, domain FROM domain_provers WHERE account ${among}
  UNION ALL SELECT account, address FROM payout_addresses WHERE account ${among}`;
const EDGES = statement(
  EDGES_OF('IN (SELECT value FROM json_each(?))'),
  EDGES_OF('= ANY (?::text[])'),
);

/** Each of the accounts with the name of its group: linked accounts have the same one. */
export async function groupsOf(
  db: Reader,
  accounts: readonly Account[],
): Promise<ReadonlyMap<Account, string>> {
  const groups = new Map<string, string>();
  const groupOf = (name: string): string => {
    const above = groups.get(name);
    return above === undefined || above === name ? name : groupOf(above);
  };
  for (const row of await linkOf(db).rows(EDGES, [accounts, accounts, accounts, accounts])) {
    const ends = [column.text(row, 'account'), column.text(row, 'other')];
    const [first = '', second = ''] = ends.map(groupOf).sort();
    groups.set(second, first);
  }
  return new Map(accounts.map((account) => [account, groupOf(account)]));
}

const KEYS = statement(
  '',
  'SELECT 1 AS yes FROM keys WHERE account = ? ORDER BY key_id FOR UPDATE',
);

/**
 * What an account may hold is counted over several tasks, so on PostgreSQL its claims take turns on
 * its key rows, which every signer has. SQLite has one writer.
 */
export async function lockWorker(tx: Writer, account: Account): Promise<void> {
  const link = linkOf(tx);
  if (link.dialect === 'postgres') await link.rows(KEYS, [account]);
}
