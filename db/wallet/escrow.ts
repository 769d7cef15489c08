import { linkOf, statement, type Reader } from '../connection.ts';
import type { Difference } from '../ledger/audit.ts';
import { auditTables } from '../poker/books.ts';
import { auditMarkets } from '../predictions/books.ts';
import { auditCalls } from '../router/holds.ts';
import { auditStakes } from '../validators/stakes.ts';

/**
 * Work and money agree (I8): a live task with a reward has exactly one open hold, of its requester,
 * of the whole reward, of the kind that its state asks for; a chain holds exactly what its waiting
 * steps and the step at work will pay, until a result is accepted; and nothing else is held for work.
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
    WHERE t.reward IS NOT NULL AND (t.state IN (${AWAITING_PAYOUT})
      OR (t.state IN (${ESCROWED}) AND t.chain_id IS NULL))
    GROUP BY t.id, t.state, t.network, t.requester, t.reward, t.hold_id
    HAVING count(c.id) <> 1 OR sum(c.remaining) <> t.reward OR min(a.name) <> t.requester
      OR min(a.network) <> t.network OR min(c.id) <> t.hold_id
      OR min(c.kind) <> CASE WHEN t.state IN (${ESCROWED}) THEN 'task' ELSE 'payout' END
  ) AS found ORDER BY task LIMIT ${SHOWN_MAX}`);

const ORPHANED = statement(`
  SELECT c.id AS commitment, c.kind, c.ref_kind, c.ref_id, c.remaining, t.state
  FROM commitments c LEFT JOIN tasks t ON c.ref_kind = 'task' AND t.id = c.ref_id
  WHERE c.state = 'open' AND c.kind IN ('task', 'payout')
    AND (t.id IS NULL OR t.reward IS NULL OR t.state NOT IN (${ESCROWED}, ${AWAITING_PAYOUT})
      OR (t.chain_id IS NOT NULL AND t.state IN (${ESCROWED})))
  ORDER BY c.id LIMIT ${SHOWN_MAX}`);

const UNEARNED = 'k.total - k.spent - k.refunded';
const CHAINS = statement(`
  SELECT * FROM (
    SELECT k.id AS chain, k.state, k.network, k.requester, ${UNEARNED} AS unearned, k.waiting,
      CAST(coalesce(w.reward, 0) AS TEXT) AS at_work,
      CAST(coalesce(n.reward, 0) AS TEXT) AS unopened, count(c.id) AS holds,
      CAST(coalesce(sum(c.remaining), 0) AS TEXT) AS remaining
    FROM chains k
    LEFT JOIN (SELECT chain_id, sum(reward) AS reward FROM tasks
      WHERE chain_id IS NOT NULL AND state IN (${ESCROWED}) GROUP BY chain_id) w
      ON w.chain_id = k.id
    LEFT JOIN (SELECT chain_id, sum(reward) AS reward FROM chain_steps
      WHERE task_id IS NULL GROUP BY chain_id) n ON n.chain_id = k.id
    LEFT JOIN commitments c ON c.ref_kind = 'chain' AND c.ref_id = k.id AND c.state = 'open'
      AND c.kind = 'chain'
    LEFT JOIN accounts a ON a.id = c.account_id
    GROUP BY k.id, k.state, k.network, k.requester, k.total, k.spent, k.refunded, k.waiting,
      k.hold_id, w.reward, n.reward
    HAVING coalesce(sum(c.remaining), 0) <> ${UNEARNED}
      OR k.waiting + coalesce(w.reward, 0) <> ${UNEARNED}
      OR k.waiting <> CASE WHEN k.state = 'running' THEN coalesce(n.reward, 0) ELSE 0 END
      OR count(c.id) > 1 OR min(c.id) <> k.hold_id OR min(a.name) <> k.requester
      OR min(a.network) <> k.network
  ) AS found ORDER BY chain LIMIT ${SHOWN_MAX}`);

const ORPHANED_CHAIN = statement(`
  SELECT c.id AS commitment, c.kind, c.ref_kind, c.ref_id, c.remaining
  FROM commitments c LEFT JOIN chains k ON c.ref_kind = 'chain' AND k.id = c.ref_id
  WHERE c.state = 'open' AND c.kind = 'chain' AND k.id IS NULL
  ORDER BY c.id LIMIT ${SHOWN_MAX}`);

/**
 * What disagrees, markets and tables (I9), calls (I12) and stakes (I13) included; empty when right,
 * and before tasks.
 */
export async function auditEscrow(db: Reader): Promise<readonly Difference[]> {
  if (!(await db.knex.schema.hasTable('tasks'))) return [];
  const checks = [
    [UNCOVERED, 'a live task with a reward has one hold of the whole reward'],
    [ORPHANED, 'money held for work is held for a live task'],
    [CHAINS, 'a chain holds what its waiting steps and the step at work will pay'],
    [ORPHANED_CHAIN, 'money held for a chain is held for one that exists'],
  ] as const;
  const found: Difference[] = [];
  for (const [check, says] of checks) {
    for (const row of await linkOf(db).rows(check, [])) {
      const shown = Object.entries(row).map(([name, value]) => [name, String(value)] as const);
      found.push({ invariant: 'I8', says, found: Object.fromEntries(shown) });
    }
  }
  return [
    ...found,
    ...(await auditCalls(db)),
    ...(await auditStakes(db)),
    ...(await auditMarkets(db)),
    ...(await auditTables(db)),
  ];
}
