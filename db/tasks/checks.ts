import type { AreaChecks, Check } from '../audit/check.ts';

const ESCROWED = "'open', 'held', 'delivered'";
const AWAITING_PAYOUT = "'accepted', 'disputed'";
const UNEARNED = 'k.total - k.spent - k.refunded';

/**
 * Work and money agree (I8): a live rewarded task has exactly one open hold, of its requester,
 * whole, of the kind of its state; a chain holds exactly what its waiting steps and the step at
 * work will pay, until a result is accepted; nothing else is held for work.
 */
const ESCROW_CHECKS: readonly Check[] = [
  {
    invariant: 'I8',
    says: 'a live task with a reward has one hold of the whole reward',
    sql: `SELECT t.id AS task, t.state, t.network, t.requester, t.reward, count(c.id) AS holds,
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
        OR min(c.kind) <> CASE WHEN t.state IN (${ESCROWED}) THEN 'task' ELSE 'payout' END`,
    orderBy: 'task',
  },
  {
    invariant: 'I8',
    says: 'money held for work is held for a live task',
    sql: `SELECT c.id AS commitment, c.kind, c.ref_kind, c.ref_id, c.remaining, t.state
      FROM commitments c LEFT JOIN tasks t ON c.ref_kind = 'task' AND t.id = c.ref_id
      WHERE c.state = 'open' AND c.kind IN ('task', 'payout')
        AND (t.id IS NULL OR t.reward IS NULL OR t.state NOT IN (${ESCROWED}, ${AWAITING_PAYOUT})
          OR (t.chain_id IS NOT NULL AND t.state IN (${ESCROWED})))`,
    orderBy: 'commitment',
  },
  {
    invariant: 'I8',
    says: 'a chain holds what its waiting steps and the step at work will pay',
    sql: `SELECT k.id AS chain, k.state, k.network, k.requester, ${UNEARNED} AS unearned, k.waiting,
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
        OR min(a.network) <> k.network`,
    orderBy: 'chain',
  },
  {
    invariant: 'I8',
    says: 'money held for a chain is held for one that exists',
    sql: `SELECT c.id AS commitment, c.kind, c.ref_kind, c.ref_id, c.remaining
      FROM commitments c LEFT JOIN chains k ON c.ref_kind = 'chain' AND k.id = c.ref_id
      WHERE c.state = 'open' AND c.kind = 'chain' AND k.id IS NULL`,
    orderBy: 'commitment',
  },
];

export const checks: AreaChecks = {
  table: 'tasks',
  current: ESCROW_CHECKS,
};
