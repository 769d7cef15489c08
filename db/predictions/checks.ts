import type { AreaChecks, Check } from '../audit/check.ts';

const STAKES = `SELECT p.market_id, p.account, m.network, m.ended_at, p.yes AS stake, p.yes_hold AS hold
    FROM market_positions p JOIN markets m ON m.id = p.market_id WHERE p.yes > 0
  UNION ALL SELECT p.market_id, p.account, m.network, m.ended_at, p.no, p.no_hold
    FROM market_positions p JOIN markets m ON m.id = p.market_id WHERE p.no > 0`;

/** Markets and the ledger agree (I9): stakes are held until settlement, and pots are their sums. */
const MARKET_CHECKS: readonly Check[] = [
  {
    invariant: 'I9',
    says: 'a stake is held until its market is settled',
    sql: `SELECT s.market_id AS market, s.account, s.network, s.stake, c.remaining
  FROM (${STAKES}) s JOIN commitments c ON c.id = s.hold JOIN accounts a ON a.id = c.account_id
  WHERE c.remaining <> CASE WHEN s.ended_at IS NULL THEN s.stake ELSE 0 END OR c.kind <> 'bet'
    OR c.ref_kind <> 'market' OR c.ref_id <> s.market_id OR a.name <> s.account
    OR a.network <> s.network`,
    orderBy: 'market',
  },
  {
    invariant: 'I9',
    says: 'money held as a bet is the stake of a position',
    sql: `SELECT c.id AS commitment, c.ref_id AS market, c.remaining
  FROM commitments c LEFT JOIN (${STAKES}) s ON s.hold = c.id
  WHERE c.state = 'open' AND c.kind = 'bet' AND s.hold IS NULL`,
    orderBy: 'commitment',
  },
  {
    invariant: 'I9',
    says: 'a pot is the sum of its stakes',
    sql: `SELECT m.id AS market, m.yes_pot, m.no_pot, m.bettors,
      CAST(coalesce(sum(p.yes), 0) AS TEXT) AS yes, CAST(coalesce(sum(p.no), 0) AS TEXT) AS no
    FROM markets m LEFT JOIN market_positions p ON p.market_id = m.id
    GROUP BY m.id, m.yes_pot, m.no_pot, m.bettors
    HAVING coalesce(sum(p.yes), 0) <> m.yes_pot OR coalesce(sum(p.no), 0) <> m.no_pot
      OR count(p.account) <> m.bettors`,
    orderBy: 'market',
  },
  {
    invariant: 'I9',
    says: 'the account of a market keeps nothing',
    sql: `SELECT name AS pot, network, posted FROM accounts
  WHERE name LIKE 'hub:pot:market:%' AND (posted <> 0 OR held <> 0)`,
    orderBy: 'pot',
  },
];

export const checks: AreaChecks = {
  table: 'markets',
  current: MARKET_CHECKS,
};
