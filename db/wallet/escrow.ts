import { linkOf, statement, type Reader } from '../connection.ts';
import type { Difference } from '../ledger/audit.ts';

/**
 * Work and money agree (I8): a live task with a reward has exactly one open hold, of its requester,
 * of the whole reward, of the kind that its state asks for; and nothing else is held for work.
 */
const SHOWN_MAX = 20;
const ESCROWED = "'open', 'held', 'delivered'";
const AWAITING_PAYOUT = "'accepted', 'disputed'";

const UNCOVERED = statement(`
  SELECT * FROM (
    SELECT t.id AS task, t.state, t.network, t.requester, t.reward, count(c.id) AS holds,
      CAST(coalesce(sum(c.remaining), 0) AS TEXT) AS remaining, min(c.kind) AS kind,
      min(a.name) AS holder
    FROM tasks t
    LEFT JOIN commitments c ON c.ref_kind = 'task' AND c.ref_id = t.id AND c.state = 'open'
      AND c.kind IN ('task', 'payout')
    LEFT JOIN accounts a ON a.id = c.account_id
    WHERE t.reward IS NOT NULL AND t.state IN (${ESCROWED}, ${AWAITING_PAYOUT})
    GROUP BY t.id, t.state, t.network, t.requester, t.reward, t.hold_id
    HAVING count(c.id) <> 1 OR sum(c.remaining) <> t.reward OR min(a.name) <> t.requester
      OR min(a.network) <> t.network OR min(c.id) <> t.hold_id
      OR min(c.kind) <> CASE WHEN t.state IN (${ESCROWED}) THEN 'task' ELSE 'payout' END
  ) AS found ORDER BY task LIMIT ${SHOWN_MAX}`);

const ORPHANED = statement(`
  SELECT c.id AS commitment, c.kind, c.ref_kind, c.ref_id, c.remaining, t.state
  FROM commitments c LEFT JOIN tasks t ON c.ref_kind = 'task' AND t.id = c.ref_id
  WHERE c.state = 'open' AND c.kind IN ('task', 'payout')
    AND (t.id IS NULL OR t.reward IS NULL OR t.state NOT IN (${ESCROWED}, ${AWAITING_PAYOUT}))
  ORDER BY c.id LIMIT ${SHOWN_MAX}`);

/** What disagrees; empty when all is right, and when the database has no tasks yet. */
export async function auditEscrow(db: Reader): Promise<readonly Difference[]> {
  if (!(await db.knex.schema.hasTable('tasks'))) return [];
  const checks = [
    [UNCOVERED, 'a live task with a reward has one hold of the whole reward'],
    [ORPHANED, 'money held for work is held for a live task'],
  ] as const;
  const found: Difference[] = [];
  for (const [check, says] of checks) {
    for (const row of await linkOf(db).rows(check, [])) {
      const shown = Object.entries(row).map(([name, value]) => [name, String(value)] as const);
      found.push({ invariant: 'I8', says, found: Object.fromEntries(shown) });
    }
  }
  return found;
}
