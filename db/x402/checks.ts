import type { Check } from '../audit/check.ts';

/**
 * Payments over x402 and the ledger agree: what settled was credited to its account once and in
 * full, and nothing else came in as such.
 */
const CREDITED = `transfers t JOIN entries e ON e.transfer_seq = t.seq
  JOIN accounts a ON a.id = e.account_id`;

export const PAYMENT_CHECKS: readonly Check[] = [
  {
    invariant: 'I14',
    says: 'a payment that settled was credited once, in full, to its account',
    sql: `SELECT p.id AS payment, p.network, p.account, p.amount FROM x402_payments p
      WHERE p.state = 'settled' AND NOT EXISTS (
        SELECT 1 FROM ${CREDITED} WHERE t.id = p.transfer_id AND t.network = p.network
          AND t.ref_kind = 'x402' AND t.ref_id = p.id AND e.reason = 'x402.topup'
          AND e.kind = 'move' AND e.delta = p.amount AND a.name = p.account)`,
    orderBy: 'payment',
  },
  {
    invariant: 'I14',
    says: 'what came in over x402 is a payment that settled',
    sql: `SELECT t.id AS transfer, t.network, e.delta FROM ${CREDITED}
        LEFT JOIN x402_payments p ON p.transfer_id = t.id AND p.state = 'settled'
      WHERE e.reason = 'x402.topup' AND e.delta > 0 AND p.id IS NULL`,
    orderBy: 'transfer',
  },
];
