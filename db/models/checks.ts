import type { AreaChecks, Check } from '../audit/check.ts';

/** Model calls and the ledger agree (I12): holds are for running calls, costs were paid as fees. */
const MODEL_CHECKS: readonly Check[] = [
  {
    invariant: 'I12',
    says: 'money held for a model call is held for one that runs',
    sql: `SELECT c.id AS commitment, c.ref_kind, c.ref_id, c.remaining, a.name AS account,
        a.network, k.outcome
      FROM commitments c JOIN accounts a ON a.id = c.account_id
        LEFT JOIN model_calls k ON k.id = c.ref_id
      WHERE c.state = 'open' AND c.kind = 'model'
        AND (k.id IS NULL OR k.outcome <> 'running' OR coalesce(k.hold_id, '') <> c.id
          OR k.held <> c.remaining OR k.payer <> a.name OR k.network <> a.network)`,
    orderBy: 'commitment',
  },
  {
    invariant: 'I12',
    says: 'what a running model call holds is held',
    sql: `SELECT k.id AS call, k.payer, k.network, k.held FROM model_calls k
        LEFT JOIN commitments c ON c.id = k.hold_id AND c.state = 'open' AND c.kind = 'model'
      WHERE k.hold_id IS NOT NULL AND c.id IS NULL`,
    orderBy: 'call',
  },
];

/** Over all calls there ever were, so only a full count asks it. */
const MODEL_CHARGE_CHECKS: readonly Check[] = [
  {
    invariant: 'I12',
    says: 'a model call that cost something was paid that much',
    sql: `SELECT k.id AS call, k.network, k.payer, k.charged FROM model_calls k
      WHERE k.charged > 0 AND NOT EXISTS (
        SELECT 1 FROM transfers t JOIN entries e ON e.transfer_seq = t.seq
        WHERE t.id = k.transfer_id AND t.network = k.network AND e.reason = 'model.charge'
          AND e.kind = 'move' AND e.delta = k.charged AND e.counterparty = k.payer)`,
  },
  {
    invariant: 'I12',
    says: 'what a day counts as spent on models is what its calls cost and hold',
    sql: `SELECT s.day, s.payer, s.network, s.amount FROM model_spend s
      WHERE s.amount <> (
        SELECT coalesce(sum(CASE WHEN k.outcome = 'running' THEN k.held ELSE k.charged END), 0)
        FROM model_calls k
        WHERE k.network = s.network AND k.at >= s.day AND k.at < s.day + 86400000
          AND (s.payer = 'everybody' OR k.payer = s.payer))`,
  },
  {
    invariant: 'I12',
    says: 'what a day counts as borne by the hub is what its rewritings hold and left unpaid',
    sql: `SELECT s.day, s.payer, s.network, s.amount FROM model_borne s
      WHERE s.amount <> (
        SELECT coalesce(sum(CASE WHEN k.outcome = 'running' THEN k.held ELSE k.borne END), 0)
        FROM model_calls k
        WHERE k.network = s.network AND k.at >= s.day AND k.at < s.day + 86400000
          AND k.service IS NOT NULL AND (s.payer = 'everybody' OR k.payer = s.payer))`,
  },
];

export const checks: AreaChecks = {
  table: 'model_calls',
  current: MODEL_CHECKS,
  journal: MODEL_CHARGE_CHECKS,
};
