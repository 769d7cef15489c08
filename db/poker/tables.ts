import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import { dueAt } from '../../domain/poker/clock.ts';
import type { HandRecord } from '../../domain/poker/record.ts';
import type { TableEvent } from '../../domain/poker/session.ts';
import { moneyAt, seated } from '../../domain/poker/table.ts';
import type { Table, TableFormat, TableState } from '../../domain/poker/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { tableFrom, tableText } from './body.ts';

/** The tables of poker tables, their events and their hands. */
const BY_ID = statement('SELECT body FROM poker_tables WHERE id = ?');
const LOCKED = statement(
  'SELECT body FROM poker_tables WHERE id = ?',
  'SELECT body FROM poker_tables WHERE id = ? FOR UPDATE',
);

export async function readTable(db: Reader, id: string): Promise<Table | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [id]));
  return row && table(row);
}

export async function lockTable(tx: Writer, id: string): Promise<Table | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCKED, [id]));
  return row && table(row);
}

const SAVE = statement(`
  INSERT INTO poker_tables (id, network, creator, format, state, money, players, due_at, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, money = excluded.money,
    players = excluded.players, due_at = excluded.due_at, body = excluded.body`);

/** Writes a table; who left it is kept in `poker_seats` alone. */
export async function saveTable(tx: Writer, changed: Table): Promise<void> {
  const here = { ...changed, players: seated(changed) };
  await linkOf(tx).rows(SAVE, [
    here.id,
    here.network,
    here.creator,
    here.format,
    here.state,
    `${moneyAt(here)}`,
    here.players.length,
    dueAt(here) ?? null,
    tableText(here),
  ]);
}

const EVENTS = statement(
  `INSERT INTO poker_events (table_id, seq, body)
    SELECT ?, json_extract(value, '$.seq'), value FROM json_each(?)`,
  `INSERT INTO poker_events (table_id, seq, body)
    SELECT ?, (g.value->>'seq')::bigint, g.value::text FROM json_array_elements(?::json) AS g(value)`,
);

export async function insertEvents(
  tx: Writer,
  tableId: string,
  events: readonly TableEvent[],
): Promise<void> {
  if (events.length > 0) await linkOf(tx).rows(EVENTS, [tableId, JSON.stringify(events)]);
}

const NEWEST = statement(`SELECT body FROM poker_events
  WHERE table_id = ? AND seq > ? ORDER BY seq DESC LIMIT ?`);

/** The newest events after a sequence number, oldest first. */
export async function eventsAfter(
  db: Reader,
  tableId: string,
  after: number,
  limit: number,
): Promise<readonly TableEvent[]> {
  const rows = await linkOf(db).rows(NEWEST, [tableId, after, limit]);
  // JSON that `insertEvents` wrote from values of this very type.
  return rows.map((row) => column.json(row, 'body') as TableEvent).reverse();
}

const HAND = statement('INSERT INTO poker_hands (table_id, n, ended_at, body) VALUES (?, ?, ?, ?)');

export async function insertHand(
  tx: Writer,
  tableId: string,
  record: HandRecord,
  at: Instant,
): Promise<void> {
  await linkOf(tx).rows(HAND, [tableId, record.n, at, JSON.stringify(record)]);
}

const HANDS = statement(`SELECT body FROM poker_hands
  WHERE table_id = ? AND n < ? ORDER BY n DESC LIMIT ?`);

/** Finished hands with a smaller number, the newest first. */
export async function handsOf(
  db: Reader,
  tableId: string,
  before: number,
  limit: number,
): Promise<readonly HandRecord[]> {
  const rows = await linkOf(db).rows(HANDS, [tableId, before, limit]);
  return rows.map((row) => column.json(row, 'body') as HandRecord);
}

export interface TableFilter {
  readonly state?: TableState;
  readonly format?: TableFormat;
  readonly network?: NetworkId;
  readonly before?: string;
}

/** Newest first: ids sort by time of making, so the id is the cursor. */
export async function listTables(
  db: Reader,
  { before, ...equal }: TableFilter,
  limit: number,
): Promise<readonly Table[]> {
  let query = db.knex('poker_tables').select<Row[]>('body').where(equal);
  if (before !== undefined) query = query.where('id', '<', before);
  return (await query.orderBy('id', 'desc').limit(limit)).map(table);
}

const DUE = statement('SELECT id FROM poker_tables WHERE due_at <= ? ORDER BY due_at, id LIMIT ?');

export async function dueTables(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(DUE, [now, limit]);
  return rows.map((row) => column.text(row, 'id'));
}

const FIRST_DUE = statement('SELECT min(due_at) AS at FROM poker_tables WHERE due_at IS NOT NULL');

export async function firstDue(db: Reader): Promise<Instant | undefined> {
  const row = column.one(await linkOf(db).rows(FIRST_DUE, []));
  return (row && column.timeOrNull(row, 'at')) ?? undefined;
}

const UNFINISHED = statement(`SELECT count(*) AS tables FROM poker_tables
  WHERE creator = ? AND state <> 'finished'`);

export async function unfinishedOf(db: Reader, creator: Account): Promise<number> {
  const row = column.one(await linkOf(db).rows(UNFINISHED, [creator]));
  return row === undefined ? 0 : Number(column.signed(row, 'tables'));
}

function table(row: Row): Table {
  return tableFrom(column.text(row, 'body'));
}
