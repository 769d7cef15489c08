import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { dueAt } from '../../domain/poker/clock.ts';
import type { HandRecord } from '../../domain/poker/record.ts';
import type { TableEvent } from '../../domain/poker/session.ts';
import { moneyAt, seated, stakeOf } from '../../domain/poker/table.ts';
import type { Table, TableFormat, TableState } from '../../domain/poker/table.ts';
import { account, amount, integer, json, moment, network, oneOf, text } from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { lookup } from '../batch/lookup.ts';
import { shaped, table } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row } from '../connection.ts';
import { newestOf } from '../newest.ts';
import { LOCK_KEYS, parentIn } from '../batch/need.ts';
import { ACCOUNTS } from '../ledger/accountsTable.ts';
import { tableFrom, tableText } from './body.ts';

/** A table with its whole state; who left it is kept in `poker_seats` alone. */
export const POKER_TABLES = shaped(
  table(
    'poker_tables',
    {
      id: text().key(),
      network: network().fixed(),
      creator: account().fixed(),
      format: oneOf(['cash', 'sng']).fixed(),
      state: oneOf(['open', 'running', 'finished']).guard(),
      money: amount().guard(),
      players: integer().guard(),
      /** The big blind, or the buy-in of a tournament; absent on tables of an older release. */
      stake: amount().fixed().optional(),
      seats: integer().fixed().optional(),
      dueAt: moment().guard().optional(),
      body: text(),
    },
    { personal: { apart: 'tables are public' }, after: [ACCOUNTS] },
  ),
  {
    of: ({ body }): Table => tableFrom(body),
    flat(changed) {
      const here = { ...changed, players: seated(changed) };
      const { id, creator, format, state } = here;
      return {
        id,
        network: here.network,
        creator,
        format,
        state,
        money: atomic(moneyAt(here)),
        players: here.players.length,
        stake: atomic(stakeOf(here)),
        seats: here.seats,
        body: tableText(here),
        ...defined({ dueAt: dueAt(here) }),
      };
    },
  },
);

export const POKER_EVENTS = table(
  'poker_events',
  { tableId: text().key(), seq: integer().key(), body: json<TableEvent>().fixed() },
  { personal: { apart: 'tables are public' }, use: 'append', under: [POKER_TABLES] },
);

export const POKER_HANDS = table(
  'poker_hands',
  {
    tableId: text().key(),
    n: integer().key(),
    endedAt: moment().fixed(),
    body: json<HandRecord>().fixed(),
  },
  { personal: { apart: 'tables are public' }, use: 'append', under: [POKER_TABLES] },
);

/** How many unfinished tables an account has; its keys are locked, so that none is made meanwhile. */
export const UNFINISHED_TABLES = lookup('unfinished_tables', {
  by: { creator: account() },
  found: { count: integer() },
  sql: ({ creator }) => ({
    count: `(SELECT count(*) FROM poker_tables
      WHERE creator = ${creator} AND state <> 'finished')`,
  }),
  lock: LOCK_KEYS,
});

/** The newest events that an answer carries. */
const EVENTS_SHOWN_MAX = 200;

/** The newest events after a sequence number, oldest first. */
export const EVENTS_AFTER = list('poker_events_after', POKER_EVENTS, {
  by: { tableId: text(), after: integer() },
  where: ({ tableId, after }) => `t.table_id = ${tableId} AND t.seq IN (
    SELECT seq FROM poker_events WHERE table_id = ${tableId} AND seq > ${after}
     ORDER BY seq DESC LIMIT ${EVENTS_SHOWN_MAX})`,
  order: 't.seq',
  parent: parentIn(POKER_TABLES, ({ tableId }: { readonly tableId: string }) => tableId),
});

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
  readonly seats?: number;
  readonly minStake?: Atomic;
  readonly maxStake?: Atomic;
  /** Not finished, and with a seat that none has taken. */
  readonly free?: boolean;
  readonly before?: string;
}

/** Newest first: ids sort by time of making, so the id is the cursor. */
export async function listTables(
  db: Reader,
  { before, state, minStake, maxStake, free, ...equal }: TableFilter,
  limit: number,
): Promise<readonly Table[]> {
  const isPlain = Object.keys({ ...equal, ...defined({ minStake, maxStake, free }) }).length === 0;
  const query = db.knex('poker_tables').select<Row[]>('body').where(equal);
  const inState = defined({ state });
  if (isPlain) void query.where(inState);
  else void query.whereIn('id', newestOf(db, 'poker_tables', inState));
  // sqlite3 takes no bigint; the column makes a number of the text.
  if (minStake !== undefined) void query.where('stake', '>=', `${minStake}`);
  if (maxStake !== undefined) void query.where('stake', '<=', `${maxStake}`);
  if (free === true) void query.whereRaw("state <> 'finished' AND players < seats");
  if (free === false) void query.whereRaw("(state = 'finished' OR players >= seats)");
  if (before !== undefined) void query.where('id', '<', before);
  return (await query.orderBy('id', 'desc').limit(limit)).map(tableIn);
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

function tableIn(row: Row): Table {
  return tableFrom(column.text(row, 'body'));
}
