import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { commitmentId } from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import { parseNetworkId } from '../../domain/network.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EligibleSeat } from '../../domain/validator/panel.ts';
import { PAUSED_REASONS, SEAT_STATES, stakeFor } from '../../domain/validator/seat.ts';
import type { ValidatorSeat, SeatState } from '../../domain/validator/seat.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Value, Writer } from '../connection.ts';
import { groupsOf } from '../tasks/links.ts';

/** The table of seats. Rows are locked in the order of their accounts, after the task's row. */
const BY_ACCOUNT = statement('SELECT * FROM seats WHERE account = ?');

export async function seatOf(db: Reader, account: Account): Promise<ValidatorSeat | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ACCOUNT, [account]));
  return row && seat(row);
}

const LOCK = statement(
  'SELECT * FROM seats WHERE account IN (SELECT value FROM json_each(?)) ORDER BY account',
  'SELECT * FROM seats WHERE account = ANY (?::text[]) ORDER BY account FOR UPDATE',
);

/** The seats of these accounts, which nobody else changes until the unit ends; in name order. */
export async function lockSeats(
  tx: Writer,
  accounts: readonly Account[],
): Promise<readonly ValidatorSeat[]> {
  return (await linkOf(tx).rows(LOCK, [accounts])).map(seat);
}

const TURN = statement('', 'SELECT pg_advisory_xact_lock(hashtextextended(?, 7))');

/**
 * Who takes a seat takes its turn on PostgreSQL, by account and then by host: a row that is not
 * there yet cannot be locked. SQLite has one writer.
 */
export async function takeTurn(tx: Writer, account: Account, host: string): Promise<void> {
  const link = linkOf(tx);
  if (link.dialect === 'sqlite') return;
  await link.rows(TURN, [`seat of ${account}`]);
  await link.rows(TURN, [`seat at ${host}`]);
}

const HOST = statement(
  `SELECT account FROM seats WHERE endpoint_host = ? AND state = 'seated' AND account <> ?`,
);

/** Whether another account is seated at this host. */
export async function hostTaken(db: Reader, host: string, by: Account): Promise<boolean> {
  return (await linkOf(db).rows(HOST, [host, by])).length > 0;
}

/** What a draw asks of a seat. */
export interface Wanted {
  readonly network: NetworkId;
  /** What is decided about; nothing on unpaid work. */
  readonly reward: Atomic;
  readonly requiredSkills: readonly string[];
  /** Accounts that take part; neither they nor anybody linked to them may judge. */
  readonly parties: readonly Account[];
}

/** A draw is among at most these many; with more of them the largest stakes are taken. */
const POOL_MAX = 500;
const DRAWN = `SELECT * FROM seats
  WHERE state = 'seated' AND paused IS NULL AND network = ? AND stake >= ?
    AND (skill IS NULL OR skill`;
const ELIGIBLE = statement(
  `${DRAWN} IN (SELECT value FROM json_each(?))) ORDER BY stake DESC, account LIMIT ${POOL_MAX}`,
  `${DRAWN} = ANY (?::text[])) ORDER BY stake DESC, account LIMIT ${POOL_MAX}`,
);

/** Everybody who may be drawn (choices validators.ceiling), whatever share it asks for. */
export async function eligibleSeats(db: Reader, wanted: Wanted): Promise<readonly EligibleSeat[]> {
  const { network, reward, requiredSkills, parties } = wanted;
  const values = [network, stakeFor(reward).toString(), requiredSkills];
  const seats = (await linkOf(db).rows(ELIGIBLE, values)).map(seat);
  if (seats.length === 0) return [];
  const groups = await groupsOf(db, [...parties, ...seats.map(({ account }) => account)]);
  const excluded = new Set(parties.map((party) => groups.get(party)));
  return seats.flatMap((each) => {
    const group = groups.get(each.account) ?? each.account;
    return excluded.has(group) ? [] : [{ seat: each, group }];
  });
}

const COLUMNS = [
  'account',
  'id',
  'network',
  'state',
  'paused',
  'endpoint',
  'endpoint_host',
  'skill',
  'min_fee_bps',
  'stake',
  'hold_id',
  'seated_at',
  'ended_at',
  'rounds',
  'agreed',
  'disagreed',
  'no_shows',
  'overturned',
  'missed_in_row',
  'last_twenty',
  'answers_ms',
  'probe_at',
  'probes_failed',
] as const;
const SAVE = statement(`
  INSERT INTO seats (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (account) DO UPDATE SET
    ${COLUMNS.slice(3)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`);

/** Inserts or updates; a seat keeps its account, its id and its network. */
export async function saveSeat(tx: Writer, seat: ValidatorSeat): Promise<void> {
  const row = columns(seat);
  await linkOf(tx).rows(
    SAVE,
    COLUMNS.map((name) => row[name]),
  );
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
  return (await linkOf(tx).rows(PROBES, [at.lostAt, at.now, at.limit])).map(seat);
}

/** A page of seats, newest first; ids sort by time of making, so the id is the cursor. */
export interface SeatFilter {
  readonly network: NetworkId;
  readonly state?: SeatState;
  /** Seats that judge any task are among those that judge this skill. */
  readonly skill?: string;
  readonly before?: string;
}

export async function listSeats(
  db: Reader,
  { network, state, skill, before }: SeatFilter,
  limit: number,
): Promise<readonly ValidatorSeat[]> {
  let query = db.knex('seats').select<Row[]>('*').where({ network }).orderBy('id', 'desc');
  if (state !== undefined) query = query.where({ state });
  if (before !== undefined) query = query.where('id', '<', before);
  if (skill !== undefined) {
    query = query.whereRaw('(skill IS NULL OR skill = ?)', [skill]);
  }
  return (await query.limit(limit)).map(seat);
}

function columns(seat: ValidatorSeat): Record<(typeof COLUMNS)[number], Value> {
  const { record, probe } = seat;
  return {
    account: seat.account,
    id: seat.id,
    network: seat.network,
    state: seat.state,
    paused: seat.paused ?? null,
    endpoint: seat.endpoint,
    endpoint_host: seat.endpointHost,
    skill: seat.skill ?? null,
    min_fee_bps: seat.minFeeBps,
    stake: seat.stake.toString(),
    hold_id: seat.holdId ?? null,
    seated_at: seat.seatedAt,
    ended_at: seat.endedAt ?? null,
    rounds: record.rounds,
    agreed: record.agreed,
    disagreed: record.disagreed,
    no_shows: record.noShows,
    overturned: record.overturned,
    missed_in_row: record.missedInRow,
    last_twenty: record.window,
    answers_ms: JSON.stringify(record.answersMs),
    probe_at: probe.at ?? null,
    probes_failed: probe.failed,
  };
}

function seat(row: Row): ValidatorSeat {
  const network = parseNetworkId(column.text(row, 'network'));
  const state = SEAT_STATES.find((each) => each === row['state']);
  if (network === undefined || state === undefined) throw new Error('a seat of an unknown kind');
  const paused = PAUSED_REASONS.find((each) => each === row['paused']);
  const skill = column.textOrNull(row, 'skill');
  const holdId = column.textOrNull(row, 'hold_id');
  const endedAt = column.timeOrNull(row, 'ended_at');
  const probeAt = column.timeOrNull(row, 'probe_at');
  return {
    id: column.text(row, 'id'),
    account: column.account(row, 'account'),
    network,
    state,
    ...defined({ paused }),
    endpoint: column.text(row, 'endpoint'),
    endpointHost: column.text(row, 'endpoint_host'),
    ...(skill !== null && { skill }),
    minFeeBps: column.whole(row, 'min_fee_bps'),
    stake: column.amount(row, 'stake'),
    ...(holdId !== null && { holdId: commitmentId(holdId) }),
    seatedAt: column.time(row, 'seated_at'),
    ...(endedAt !== null && { endedAt }),
    record: {
      rounds: column.whole(row, 'rounds'),
      agreed: column.whole(row, 'agreed'),
      disagreed: column.whole(row, 'disagreed'),
      noShows: column.whole(row, 'no_shows'),
      overturned: column.whole(row, 'overturned'),
      missedInRow: column.whole(row, 'missed_in_row'),
      window: column.text(row, 'last_twenty'),
      answersMs: column.json(row, 'answers_ms') as readonly number[],
    },
    probe: {
      ...(probeAt !== null && { at: probeAt }),
      failed: column.whole(row, 'probes_failed'),
    },
  };
}
