import type { Account } from '../../domain/account.ts';
import { account, json, text } from '../batch/columns.ts';
import { rowsAsJson, textsIn } from '../batch/jsonSql.ts';
import { lookup } from '../batch/lookup.ts';
import type { Decider } from '../batch/transaction.ts';
import { groupsBy, type Link } from './links.ts';

/** The account of a key that is named as an account; NULL when it names none. */
const HOME_OF = (name: string): string =>
  `(SELECT account FROM keys WHERE key_id = substr(${name}, 5) AND ${name} LIKE 'key:%')`;
/** The rule of `partyOf` (`links.ts`), asked of two accounts that differ. */
const ARE_LINKED = (a: string, b: string): string => `${a} NOT LIKE 'hub:%' AND (
    ${HOME_OF(a)} = ${b} OR ${HOME_OF(b)} = ${a}
    OR EXISTS (SELECT 1 FROM account_links p JOIN account_links o ON o.shared = p.shared
      WHERE p.account = ${a} AND o.account = ${b}))`;
export const LINKED = lookup('linked_accounts', {
  by: { one: account(), other: account() },
  found: {},
  sql: () => ({}),
  where: ({ one, other }) => ARE_LINKED(one, other),
});

/** The links of accounts, which a query calls `account`, in a query of `account` and `other`. */
export const LINKS_AMONG = (accounts: string): string => `
  SELECT account, 'key:' || key_id AS other FROM keys WHERE account IN (${accounts})
  UNION SELECT account, 'key:' || key_id FROM keys
    WHERE key_id IN (SELECT substr(account, 5) FROM (${accounts}) AS own)
  UNION SELECT account, shared FROM account_links WHERE account IN (${accounts})`;

export const LINKS = lookup('account_links', {
  by: { accounts: json<readonly Account[]>() },
  found: { links: json<readonly Link[]>() },
  sql({ accounts }, dialect) {
    const among = `SELECT text AS account FROM (${textsIn(accounts, dialect)}) AS one`;
    return { links: rowsAsJson('account, other', LINKS_AMONG(among), dialect) };
  },
});

export function groupsIn(db: Decider, accounts: readonly Account[]): ReadonlyMap<Account, string> {
  return groupsBy(accounts, db.find(LINKS, accounts)?.links ?? []);
}

/** Accounts that are one party with the requester of a task. */
export const OF_REQUESTER = lookup('of_requester', {
  by: { account: account(), taskId: text() },
  found: {},
  sql: () => ({}),
  from: (key) => `tasks t ON t.id = ${key.taskId}
    AND (${key.account} = t.requester OR (${ARE_LINKED(key.account, 't.requester')}))`,
});
