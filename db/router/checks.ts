import type { AreaChecks, Check } from '../audit/check.ts';

/** Calls and the ledger agree (I12): holds are for running calls, and costs were paid in full. */
const CALL_CHECKS: readonly Check[] = [
  {
    invariant: 'I12',
    says: 'money held for a call is held for one that runs',
    sql: `SELECT c.id AS commitment, c.ref_kind, c.ref_id, c.remaining, a.name AS account,
        a.network, k.outcome
      FROM commitments c JOIN accounts a ON a.id = c.account_id
        LEFT JOIN calls k ON k.id = c.ref_id
      WHERE c.state = 'open' AND c.kind = 'call' AND c.ref_kind = 'call'
        AND (k.id IS NULL OR k.outcome <> 'running' OR coalesce(k.hold_id, '') <> c.id
          OR k.held <> c.remaining OR k.caller <> a.name OR k.network <> a.network)`,
    orderBy: 'commitment',
  },
  {
    invariant: 'I12',
    says: 'what a running call holds is held',
    sql: `SELECT k.id AS call, k.caller, k.network, k.held FROM calls k
        LEFT JOIN commitments c ON c.id = k.hold_id AND c.state = 'open' AND c.kind = 'call'
      WHERE k.hold_id IS NOT NULL AND c.id IS NULL`,
    orderBy: 'call',
  },
];

/** Over all calls there ever were, so only a full count asks it. */
const CHARGE_CHECKS: readonly Check[] = [
  {
    invariant: 'I12',
    says: 'a call that cost something was paid that much',
    sql: `SELECT k.id AS call, k.network, k.caller, k.paid_to, k.cost FROM calls k
      WHERE k.cost > 0 AND NOT EXISTS (
        SELECT 1 FROM transfers t JOIN entries e ON e.transfer_seq = t.seq
          JOIN accounts a ON a.id = e.account_id
        WHERE t.id = k.transfer_id AND t.network = k.network AND e.reason = 'call.charge'
          AND e.kind = 'move' AND e.delta = k.cost AND a.name = k.paid_to
          AND e.counterparty = k.caller)`,
  },
];

export const checks: AreaChecks = {
  table: 'calls',
  current: CALL_CHECKS,
  journal: CHARGE_CHECKS,
};
