import type { Account } from '../../domain/account.ts';
import type { PlayerState, Table } from '../../domain/poker/table.ts';
import { STAYS } from '../batch/personal.ts';
import * as column from '../batch/columns.ts';
import { table, type RowIn } from '../batch/table.ts';
import { text } from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { tableFrom } from './body.ts';
import { POKER_TABLES } from './tables.ts';

/** Who sits and sat where: one row for an account and a table, kept when it left. */
export const POKER_SEATS = table(
  'poker_seats',
  {
    account: column.account().key(),
    tableId: column.text().key(),
    seat: column.integer(),
    state: column.text<PlayerState>(),
    boughtIn: column.amount(),
    cashedOut: column.amount(),
    place: column.integer().optional(),
    satAt: column.moment().fixed(),
    leftAt: column.moment().optional(),
    /** The stack that the player left with. */
    leftStack: column.amount().optional(),
  },
  {
    personal: { owner: 'account', order: ['table_id'], stays: STAYS.parties },
    lock: 'none',
    under: [POKER_TABLES],
  },
);
type StoredSeat = RowIn<typeof POKER_SEATS>;

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
  return rows.map((row) => ({
    table: tableFrom(text(row, 'body')),
    held: POKER_SEATS.fromRow(row),
  }));
}
