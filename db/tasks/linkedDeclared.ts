import { account, text } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';

/** The rule of `partyOf` (`links.ts`), asked of two accounts that differ. */
const ARE_LINKED = (a: string, b: string): string => `${a} NOT LIKE 'hub:%' AND (
    EXISTS (SELECT 1 FROM keys WHERE key_id = substr(${a}, 5) AND account = ${b})
    OR EXISTS (SELECT 1 FROM keys WHERE account = ${a} AND 'key:' || key_id = ${b})
    OR EXISTS (SELECT 1 FROM account_links p JOIN account_links o ON o.shared = p.shared
      WHERE p.account = ${a} AND o.account = ${b}))`;
/** Pairs of accounts that are linked. */
export const LINKED = lookup('linked_accounts', {
  by: { one: account(), other: account() },
  found: {},
  sql: () => ({}),
  where: ({ one, other }) => ARE_LINKED(one, other),
});

/** Accounts that are one party with the requester of a task. */
export const OF_REQUESTER = lookup('of_requester', {
  by: { account: account(), taskId: text() },
  found: {},
  sql: () => ({}),
  from: (key) => `tasks t ON t.id = ${key.taskId}
    AND (${key.account} = t.requester OR (${ARE_LINKED(key.account, 't.requester')}))`,
});
