import { linkOf, statement, type Reader } from '../connection.ts';
import type { Difference } from '../ledger/checks.ts';

/** Tables and the ledger agree (I9): the account of a table has what stands at it, and no other. */
const SHOWN_MAX = 20;
const DIFFERS = statement(`
  SELECT t.id AS tables, t.network, t.state, t.money, coalesce(a.posted, 0) AS posted
  FROM poker_tables t LEFT JOIN accounts a
    ON a.name = 'hub:pot:poker:' || t.id AND a.network = t.network
  WHERE coalesce(a.posted, 0) <> t.money OR coalesce(a.held, 0) <> 0
  ORDER BY t.id LIMIT ${SHOWN_MAX}`);
const ORPHANED = statement(`
  SELECT a.name AS pot, a.network, a.posted FROM accounts a
  WHERE a.name LIKE 'hub:pot:poker:%' AND a.posted <> 0 AND NOT EXISTS
    (SELECT 1 FROM poker_tables t WHERE 'hub:pot:poker:' || t.id = a.name
      AND t.network = a.network)
  ORDER BY a.id LIMIT ${SHOWN_MAX}`);

/** What disagrees; empty when all is right, and when the database has no tables yet. */
export async function auditTables(db: Reader): Promise<readonly Difference[]> {
  if (!(await db.knex.schema.hasTable('poker_tables'))) return [];
  const checks = [
    [DIFFERS, 'the account of a table has the stacks and the chips in the hand'],
    [ORPHANED, 'money of a table belongs to one that exists'],
  ] as const;
  const found: Difference[] = [];
  for (const [check, says] of checks) {
    for (const row of await linkOf(db).rows(check, [])) {
      const shown = Object.entries(row).map(([name, value]) => [name, String(value)] as const);
      found.push({ invariant: 'I9', says, found: Object.fromEntries(shown) });
    }
  }
  return found;
}
