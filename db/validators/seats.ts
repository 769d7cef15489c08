import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import type { NetworkId } from '../../domain/network.ts';
import { PAUSED_REASONS, SEAT_STATES } from '../../domain/validators/seat.ts';
import type { SeatState, ValidatorSeat } from '../../domain/validators/seat.ts';
import * as column from '../batch/columns.ts';
import { shaped, table } from '../batch/table.ts';
import { insertRow, updateRow } from '../batch/write.ts';
import { account as accountIn, one } from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { COMMITMENTS } from '../ledger/ledgerTables.ts';

/** Rows are locked in the order of their accounts, after the row of a task. */
export const SEATS = shaped(
  table(
    'seats',
    {
      account: column.account().key(),
      id: column.text().fixed(),
      network: column.network().fixed(),
      state: column.oneOf(SEAT_STATES),
      paused: column.oneOf(PAUSED_REASONS).optional(),
      endpoint: column.text(),
      endpointHost: column.text(),
      skill: column.text().optional(),
      minFeeBps: column.integer(),
      stake: column.amount(),
      holdId: column.text<CommitmentId>().optional(),
      seatedAt: column.moment(),
      endedAt: column.moment().optional(),
      rounds: column.integer(),
      agreed: column.integer(),
      disagreed: column.integer(),
      noShows: column.integer(),
      overturned: column.integer(),
      missedInRow: column.integer(),
      lastTwenty: column.text(),
      answersMs: column.json<readonly number[]>(),
      probeAt: column.moment().optional(),
      probesFailed: column.integer(),
      measureAt: column.moment().optional(),
    },
    {
      personal: { owner: 'account', stays: 'Rulings and votes name the seat.' },
      after: [COMMITMENTS],
    },
  ),

  {
    of({ rounds, agreed, disagreed, noShows, overturned, ...row }): ValidatorSeat {
      const { missedInRow, lastTwenty: window, answersMs, probeAt, probesFailed, ...seat } = row;
      const counts = { rounds, agreed, disagreed, noShows, overturned, missedInRow };
      return {
        ...seat,
        record: { ...counts, window, answersMs },
        probe: { failed: probesFailed, ...defined({ at: probeAt }) },
      };
    },
    flat({ record: { window: lastTwenty, ...record }, probe, ...seat }) {
      const probed = { probesFailed: probe.failed, ...defined({ probeAt: probe.at }) };
      return { ...seat, ...record, lastTwenty, ...probed };
    },
  },
);

const BY_ACCOUNT = statement('SELECT * FROM seats WHERE account = ?');

export async function seatOf(db: Reader, account: Account): Promise<ValidatorSeat | undefined> {
  const row = one(await linkOf(db).rows(BY_ACCOUNT, [account]));
  return row && SEATS.fromRow(row);
}

const BY_ID = statement('SELECT * FROM seats WHERE id = ?');

export async function seatById(db: Reader, id: string): Promise<ValidatorSeat | undefined> {
  const row = one(await linkOf(db).rows(BY_ID, [id]));
  return row && SEATS.fromRow(row);
}

const LOCK = statement(
  'SELECT * FROM seats WHERE account IN (SELECT value FROM json_each(?)) ORDER BY account',
  'SELECT * FROM seats WHERE account = ANY (?::text[]) ORDER BY account FOR UPDATE',
);

/** Returns the seats of these accounts in name order, and locks them until the unit ends. */
export async function lockSeats(
  tx: Writer,
  accounts: readonly Account[],
): Promise<readonly ValidatorSeat[]> {
  return (await linkOf(tx).rows(LOCK, [accounts])).map(SEATS.fromRow);
}

const HOST = statement(
  `SELECT account FROM seats WHERE endpoint_host = ? AND state = 'seated' AND account <> ?`,
);

/** The other account that is seated at this host. */
export async function seatedAt(
  db: Reader,
  host: string,
  but: Account,
): Promise<Account | undefined> {
  const row = one(await linkOf(db).rows(HOST, [host, but]));
  return row && accountIn(row, 'account');
}

const PROBE = `SELECT account FROM seats WHERE probe_at <= ? ORDER BY probe_at, account LIMIT ?`;
const TAKE = (due: string): string =>
  `UPDATE seats SET probe_at = ? WHERE account IN (${due}) RETURNING *`;
const PROBES = statement(TAKE(PROBE), TAKE(`${PROBE} FOR UPDATE SKIP LOCKED`));

/** Takes seats whose synthetic case is due, so that no other process sends it before `lostAt`. */
export async function claimProbes(
  tx: Writer,
  at: { readonly now: Instant; readonly lostAt: Instant; readonly limit: number },
): Promise<readonly ValidatorSeat[]> {
  return (await linkOf(tx).rows(PROBES, [at.lostAt, at.now, at.limit])).map(SEATS.fromRow);
}

/** A page of seats, newest first; ids sort by time of making, so the id is the cursor. */
export interface SeatFilter {
  readonly network: NetworkId;
  readonly state?: SeatState;
  /** Seats that judge any task are among those that judge this skill. */
  readonly skill?: string;
  readonly before?: string;
  /** The most reliable first, and measured ones alone; the newest first when absent. */
  readonly byReliability?: boolean;
}

export async function listSeats(
  db: Reader,
  { network, state, skill, before, byReliability = false }: SeatFilter,
  limit: number,
): Promise<readonly ValidatorSeat[]> {
  let query = db.knex('seats').select<Row[]>('seats.*').where('seats.network', network);
  if (state !== undefined) query = query.where({ state });
  if (byReliability) {
    query = query
      .join('judge_records AS j', 'j.seat_id', 'seats.id')
      .whereNotNull('j.reliability_bps')
      .where('j.network', network)
      .orderBy('j.reliability_bps', 'desc');
  }
  query = query.orderBy(byReliability ? 'j.seat_id' : 'id', 'desc');
  if (before !== undefined && byReliability) {
    query = query.whereRaw(
      '(j.reliability_bps, j.seat_id) < (SELECT l.reliability_bps, l.seat_id FROM judge_records l WHERE l.seat_id = ?)',
      [before],
    );
  } else if (before !== undefined) query = query.where('id', '<', before);
  if (skill !== undefined) {
    query = query.whereRaw('(skill IS NULL OR skill = ?)', [skill]);
  }
  return (await query.limit(limit)).map(SEATS.fromRow);
}

/** Inserts a seat, or updates the one that was found, inside a transaction of single statements. */
export function saveSeat(
  tx: Writer,
  seat: ValidatorSeat,
  before: ValidatorSeat | undefined,
): Promise<void> {
  return before === undefined ? insertRow(tx, SEATS, seat) : updateRow(tx, SEATS, seat, before);
}
