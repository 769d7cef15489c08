import type { AreaChecks, Check } from '../audit/check.ts';

/** Seats and the ledger agree (I13): each taken seat's whole stake is held, and nothing else is. */
const STAKE_CHECKS: readonly Check[] = [
  {
    invariant: 'I13',
    says: 'money held as a stake is the whole stake of a seat that is taken',
    sql: `SELECT c.id AS commitment, c.ref_id AS seat, c.remaining, a.name AS account, a.network,
        s.state
      FROM commitments c JOIN accounts a ON a.id = c.account_id
        LEFT JOIN seats s ON s.hold_id = c.id
      WHERE c.state = 'open' AND c.kind = 'stake'
        AND (s.id IS NULL OR s.id <> c.ref_id OR s.stake <> c.remaining OR s.account <> a.name
          OR s.network <> a.network)`,
    orderBy: 'commitment',
  },
  {
    invariant: 'I13',
    says: 'what a seat stakes is held',
    sql: `SELECT s.id AS seat, s.account, s.network, s.stake FROM seats s
        LEFT JOIN commitments c ON c.id = s.hold_id AND c.state = 'open' AND c.kind = 'stake'
      WHERE s.stake > 0 AND c.id IS NULL`,
    orderBy: 'seat',
  },
];

export const checks: AreaChecks = {
  table: 'seats',
  current: STAKE_CHECKS,
};
