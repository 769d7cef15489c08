import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { SeatedPlayer, PlayerState, Table } from '../../domain/poker/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { tableFrom } from './body.ts';

/** Who sits and sat where: one row for an account and a table, kept when it left. */
export interface StoredSeat {
  readonly account: Account;
  readonly seat: number;
  readonly state: PlayerState;
  readonly boughtIn: bigint;
  readonly cashedOut: bigint;
  readonly place?: number;
  readonly satAt: Instant;
  readonly leftAt?: Instant;
  /** What it took with it. */
  readonly leftStack?: bigint;
}

const SAVE = statement(`
  INSERT INTO poker_seats (account, table_id, seat, state, bought_in, cashed_out, place, sat_at,
    left_at, left_stack) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (account, table_id) DO UPDATE SET seat = excluded.seat, state = excluded.state,
    bought_in = excluded.bought_in, cashed_out = excluded.cashed_out, place = excluded.place,
    left_at = excluded.left_at, left_stack = excluded.left_stack`);

/** A player as the change leaves it; sums of earlier sittings are in the player already. */
export async function saveSeat(
  tx: Writer,
  tableId: string,
  player: SeatedPlayer,
  left: { readonly at: Instant; readonly stack: bigint } | undefined,
): Promise<void> {
  await linkOf(tx).rows(SAVE, [
    player.account,
    tableId,
    player.seat,
    player.state,
    `${player.boughtIn}`,
    `${player.cashedOut}`,
    player.place ?? null,
    player.joinedAt,
    left?.at ?? null,
    left === undefined ? null : `${left.stack}`,
  ]);
}

const ONE = statement('SELECT * FROM poker_seats WHERE account = ? AND table_id = ?');

export async function seatOf(
  db: Reader,
  account: Account,
  tableId: string,
): Promise<StoredSeat | undefined> {
  const row = column.one(await linkOf(db).rows(ONE, [account, tableId]));
  return row && stored(row);
}

const OF_ACCOUNT = `SELECT s.*, t.body FROM poker_seats s JOIN poker_tables t ON t.id = s.table_id
  WHERE s.account = ?`;
const NEWEST = statement(`${OF_ACCOUNT} ORDER BY s.table_id DESC LIMIT ?`);
const OLDER = statement(`${OF_ACCOUNT} AND s.table_id < ? ORDER BY s.table_id DESC LIMIT ?`);

export interface HeldSeat {
  readonly table: Table;
  readonly held: StoredSeat;
}

/** An account's seats, the newest table first. */
export async function seatsOf(
  db: Reader,
  account: Account,
  before: string | undefined,
  limit: number,
): Promise<readonly HeldSeat[]> {
  const rows =
    before === undefined
      ? await linkOf(db).rows(NEWEST, [account, limit])
      : await linkOf(db).rows(OLDER, [account, before, limit]);
  return rows.map((row) => ({ table: tableFrom(column.text(row, 'body')), held: stored(row) }));
}

function stored(row: Row): StoredSeat {
  const place = column.wholeOrNull(row, 'place');
  const leftAt = column.timeOrNull(row, 'left_at');
  const leftStack = column.amountOrNull(row, 'left_stack');
  return {
    account: column.account(row, 'account'),
    seat: column.whole(row, 'seat'),
    state: column.text(row, 'state') as PlayerState,
    boughtIn: column.amount(row, 'bought_in'),
    cashedOut: column.amount(row, 'cashed_out'),
    ...(place !== null && { place }),
    satAt: column.time(row, 'sat_at'),
    ...(leftAt !== null && { leftAt }),
    ...(leftStack !== null && { leftStack }),
  };
}
