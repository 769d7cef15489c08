import type { AreaChecks, Check } from '../audit/check.ts';

/** Tables and the ledger agree (I9): the account of a table has what is at it, and no other. */
const TABLE_CHECKS: readonly Check[] = [
  {
    invariant: 'I9',
    says: 'the account of a table has the stacks and the chips in the hand',
    sql: `SELECT t.id AS tables, t.network, t.state, t.money, coalesce(a.posted, 0) AS posted
  FROM poker_tables t LEFT JOIN accounts a
    ON a.name = 'hub:pot:poker:' || t.id AND a.network = t.network
  WHERE coalesce(a.posted, 0) <> t.money OR coalesce(a.held, 0) <> 0`,
    orderBy: 'tables',
  },
  {
    invariant: 'I9',
    says: 'money of a table belongs to one that exists',
    sql: `SELECT a.name AS pot, a.network, a.posted FROM accounts a
  WHERE a.name LIKE 'hub:pot:poker:%' AND a.posted <> 0 AND NOT EXISTS
    (SELECT 1 FROM poker_tables t WHERE 'hub:pot:poker:' || t.id = a.name
      AND t.network = a.network)`,
    orderBy: 'pot',
  },
];

export const checks: AreaChecks = {
  table: 'poker_tables',
  current: TABLE_CHECKS,
};
