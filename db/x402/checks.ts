import type { AreaChecks, Check } from '../audit/check.ts';

/** Settled payments over x402, and nothing else as such, were credited once and in full. */
const CREDITED = `transfers t JOIN entries e ON e.transfer_seq = t.seq
  JOIN accounts a ON a.id = e.account_id`;

const PAYMENT_CHECKS: readonly Check[] = [
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

/** Payments that the hub made and the ledger agree, while they are open and after. */
const UPSTREAM_CHECKS: readonly Check[] = [
  {
    invariant: 'I14',
    says: 'money held for a payment on the chain is held whole for one that is open',
    sql: `SELECT c.id AS commitment, c.ref_id AS payment, c.remaining, a.name AS account
      FROM commitments c JOIN accounts a ON a.id = c.account_id
        LEFT JOIN x402_upstream u ON u.commitment = c.id
      WHERE c.state = 'open' AND c.ref_kind = 'x402.upstream'
        AND (u.id IS NULL OR u.id <> c.ref_id OR u.state <> 'open' OR u.amount <> c.remaining
          OR u.account <> a.name OR u.network <> a.network)`,
    orderBy: 'commitment',
  },
  {
    invariant: 'I14',
    says: 'an open payment on the chain is held',
    sql: `SELECT u.id AS payment, u.account, u.amount FROM x402_upstream u
        LEFT JOIN commitments c ON c.id = u.commitment AND c.state = 'open'
      WHERE u.state = 'open' AND c.id IS NULL`,
    orderBy: 'payment',
  },
];

/** Over the whole journal. */
const UPSTREAM_CHARGE_CHECKS: readonly Check[] = [
  {
    invariant: 'I14',
    says: 'a payment that settled on the chain was charged once, in full',
    sql: `SELECT u.id AS payment, u.network, u.account, u.amount FROM x402_upstream u
      WHERE u.state = 'settled' AND NOT EXISTS (
        SELECT 1 FROM ${CREDITED} WHERE t.id = u.transfer_id AND t.network = u.network
          AND e.reason = 'x402.pay' AND e.kind = 'move' AND e.delta = -u.amount
          AND a.name = u.account)`,
    orderBy: 'payment',
  },
  {
    invariant: 'I14',
    says: 'what was charged for payments on the chain is one that settled',
    sql: `SELECT t.id AS transfer, t.network, e.delta FROM ${CREDITED}
        LEFT JOIN x402_upstream u ON u.transfer_id = t.id AND u.state = 'settled'
      WHERE e.reason = 'x402.pay' AND e.kind = 'move' AND e.delta < 0 AND u.id IS NULL`,
    orderBy: 'transfer',
  },
];

export const checks: AreaChecks = {
  table: 'x402_upstream',
  current: UPSTREAM_CHECKS,
  journal: [...PAYMENT_CHECKS, ...UPSTREAM_CHARGE_CHECKS],
};
