import { ZERO, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import type { Difference } from '../ledger/checks.ts';

/**
 * Seats and the ledger agree (I13): what is held as a stake is the whole stake of a seat that is
 * taken, on its network and of its account, and what a seat stakes is held.
 */
const SHOWN_MAX = 20;
const ORPHANED = statement(`
  SELECT c.id AS commitment, c.ref_id AS seat, c.remaining, a.name AS account, a.network, s.state
  FROM commitments c JOIN accounts a ON a.id = c.account_id LEFT JOIN seats s ON s.hold_id = c.id
  WHERE c.state = 'open' AND c.kind = 'stake'
    AND (s.id IS NULL OR s.id <> c.ref_id OR s.stake <> c.remaining OR s.account <> a.name
      OR s.network <> a.network)
  ORDER BY c.id LIMIT ${SHOWN_MAX}`);
const UNCOVERED = statement(`
  SELECT s.id AS seat, s.account, s.network, s.stake FROM seats s
    LEFT JOIN commitments c ON c.id = s.hold_id AND c.state = 'open' AND c.kind = 'stake'
  WHERE s.stake > 0 AND c.id IS NULL ORDER BY s.id LIMIT ${SHOWN_MAX}`);

/** What disagrees; empty when all is right, and when the database has no seats yet. */
export async function auditStakes(db: Reader): Promise<readonly Difference[]> {
  if (!(await db.knex.schema.hasTable('seats'))) return [];
  const checks = [
    [ORPHANED, 'money held as a stake is the whole stake of a seat that is taken'],
    [UNCOVERED, 'what a seat stakes is held'],
  ] as const;
  const found: Difference[] = [];
  for (const [check, says] of checks) {
    for (const row of await linkOf(db).rows(check, [])) {
      const shown = Object.entries(row).map(([name, value]) => [name, String(value)] as const);
      found.push({ invariant: 'I13', says, found: Object.fromEntries(shown) });
    }
  }
  return found;
}

const LARGEST = statement(`SELECT CAST(coalesce(max(stake), 0) AS TEXT) AS stake FROM seats
  WHERE state = 'seated' AND network = ?`);

/** The largest stake of a seat on a network; 0 without one. */
export async function largestStake(db: Reader, network: NetworkId): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(LARGEST, [network]));
  return row === undefined ? ZERO : column.amount(row, 'stake');
}
