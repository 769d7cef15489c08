import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { LedgerFrozen } from '../../db/ledger/memory.ts';
import { POKER_SEATS } from '../../db/poker/seats.ts';
import {
  dueTables,
  EVENTS_AFTER,
  firstDue,
  POKER_EVENTS,
  POKER_HANDS,
  POKER_TABLES,
} from '../../db/poker/tables.ts';
import { groupsIn } from '../../db/tasks/linkLookups.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { iso } from '../../domain/instant.ts';
import { atomic } from '../../domain/money.ts';
import { applyClock, dealsNow, dueAt } from '../../domain/poker/clock.ts';
import { Session, type TableEvent } from '../../domain/poker/session.ts';
import { seated, type SeatedPlayer, type Table } from '../../domain/poker/table.ts';
import { apart } from '../kernel/apart.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustMove } from '../wallet/transfer.ts';
import { tableSecrets } from './secrets.ts';

/**
 * A table is one aggregate: row, events, hands, seats and leaving money are written together. Due
 * decisions come before every read and write (choices pipeline.due), so any process goes on.
 */
const DUE_BATCH_MAX = 50;

export function tableTopic(id: string): string {
  return `poker ${id}`;
}
/** Rung when a table may be due earlier than was thought. */
export const CLOCK_TOPIC = 'poker clock';

export function potOf({ id }: Pick<Table, 'id'>): Account {
  return houseAccount(`hub:pot:poker:${id}`);
}

function noSuchTable(): never {
  return refuse('not-found', {
    error: 'There is no table with this id.',
    hint: 'GET /api/v1/games/poker/tables lists the tables.',
  });
}

/** The table in a session with everything due applied; refuses an unknown id. */
export function openSession(db: Decider, hub: Hub, id: string): OpenSession {
  const before = db.find(POKER_TABLES, id) ?? noSuchTable();
  const now = hub.clock.now();
  const session = new Session(before, now, tableSecrets(hub));
  // No player joins and nothing is dealt twice in one session, so the seats are judged once.
  const dealtIn = dealsNow(before, now) ? seated(before).map(({ account }) => account) : [];
  applyClock(session, dealtIn.length === 0 ? new Map() : groupsIn(db, dealtIn));
  return { before, session };
}
export interface OpenSession {
  /** The table as it was stored, to compare it with the new one. */
  readonly before: Table;
  readonly session: Session;
}

export interface Paid {
  /** The transfer of each account that was paid. */
  readonly transfers: ReadonlyMap<Account, string>;
}

/** Writes all that a session changed and pays what leaves the table. */
export function commitTable(db: Decider, hub: Hub, { before, session }: OpenSession): Paid {
  const { table, events, records, payouts, now } = session;
  if (table === before) return { transfers: new Map() };
  const { id: tableId } = table;
  const transfers = new Map<Account, string>();
  for (const { account, amount: paid, reason } of payouts) {
    const amount = atomic(paid);
    const moved = mustMove(db, hub, {
      at: now,
      network: table.network,
      event: reason === 'poker.prize' ? 'poker.prize' : 'poker.left',
      ref: { kind: 'table', id: tableId },
      actor: 'hub',
      steps: [{ verb: 'move', from: potOf(table), to: account, amount, reason }],
    });
    transfers.set(account, moved);
  }
  db.put(POKER_TABLES, tableId, { ...table, players: seated(table) });
  putEvents(db, tableId, events);
  for (const body of records) {
    const hand = { tableId, n: body.n, endedAt: now, body };
    db.insert(POKER_HANDS, hand, hand);
  }
  putSeats(db, before, table, now);
  noteTable(db, before, table, now);
  noteTurn(db, before, table, now);
  db.publish(tableTopic(tableId));
  const due = dueAt(table);
  if (due !== undefined && due < (dueAt(before) ?? Infinity)) db.publish(CLOCK_TOPIC);
  return { transfers };
}

export function putEvents(db: Decider, tableId: string, events: readonly TableEvent[]): void {
  for (const body of events) {
    const event = { tableId, seq: body.seq, body };
    db.insert(POKER_EVENTS, event, event);
  }
}

/** Notifies the seated players that the table begins or ends, and each that left of its leaving. */
function noteTable(db: Decider, before: Table, after: Table, at: Session['now']): void {
  const about = { at, subjectId: after.id, state: after.state };
  const left = after.players.filter(isGone).map(({ account }) => account);
  const known = new Set(before.players.filter(isGone).map(({ account }) => account));
  const gone = left.filter((account) => !known.has(account));
  noteEvent(db, gone, { kind: 'table.left', ...about });
  if (before.state === after.state) return;
  const there = after.players.filter((each) => !isGone(each)).map(({ account }) => account);
  noteEvent(db, [...there, ...gone], { kind: `table.${after.state}`, ...about });
}

/** Notifies the player who is to act, once for each turn (choices wallet.turns). */
function noteTurn(db: Decider, before: Table, after: Table, at: Session['now']): void {
  const turn = after.dealt?.turn;
  if (turn === undefined || turn.token === before.dealt?.turn?.token) return;
  const player = after.players.find(({ seat, state }) => seat === turn.seat && state !== 'left');
  const about = { at, subjectId: after.id, state: after.state, ref: iso(turn.deadline) };
  noteEvent(db, [player?.account], { kind: 'table.your-turn', ...about });
}

function isGone({ state, place }: SeatedPlayer): boolean {
  return state === 'left' || place !== undefined;
}

/** Only what a position shows and the table does not: money in and out, and who is gone. */
function putSeats(db: Decider, before: Table, after: Table, now: Session['now']): void {
  const known = new Map(before.players.map((player) => [player.account, player]));
  const { id: tableId } = after;
  for (const player of after.players) {
    const was = known.get(player.account);
    const gone = isGone(player);
    if (was !== undefined && !gone && isSame(was, player)) continue;
    const { account, seat, state, boughtIn, cashedOut, place, joinedAt } = player;
    const key = { account, tableId };
    const satAt = db.find(POKER_SEATS, key)?.satAt ?? joinedAt;
    const left = { leftAt: now, leftStack: atomic(cashedOut - (was?.cashedOut ?? 0n)) };
    db.put(POKER_SEATS, key, {
      ...key,
      seat,
      state,
      satAt,
      boughtIn: atomic(boughtIn),
      cashedOut: atomic(cashedOut),
      ...defined({ place }),
      ...(gone && left),
    });
  }
}

function isSame(a: SeatedPlayer, b: SeatedPlayer): boolean {
  return a.boughtIn === b.boughtIn && a.seat === b.seat && a.cashedOut === b.cashedOut;
}

export interface Seen {
  readonly table: Table;
  readonly events: readonly TableEvent[];
}

/** The table for a reader; writes only when the clock has decided something since. */
export async function currentTable(hub: Hub, id: string): Promise<Table> {
  return (await lookAt(hub, id, undefined)).table;
}

/** The same with the events after a cursor, in one read. */
export async function lookAt(hub: Hub, id: string, after: number | undefined): Promise<Seen> {
  const look = (): Promise<Seen> =>
    hub.store.look({
      needs: [
        need(POKER_TABLES, id),
        ...(after === undefined ? [] : [need(EVENTS_AFTER, { tableId: id, after })]),
      ],
      decide(db) {
        const table = db.find(POKER_TABLES, id) ?? noSuchTable();
        const isNews = after !== undefined && table.seq > after;
        return {
          table,
          events: isNews ? db.list(EVENTS_AFTER, { tableId: id, after }).map(bodyOf) : [],
        };
      },
    });
  const seen = await look();
  const due = dueAt(seen.table);
  if (due === undefined || due > hub.clock.now()) return seen;
  try {
    await settleTable(hub, id);
    return await look();
  } catch (error) {
    if (error instanceof LedgerFrozen) return seen;
    throw error;
  }
}

function bodyOf({ body }: { readonly body: TableEvent }): TableEvent {
  return body;
}

function settleTable(hub: Hub, id: string): Promise<void> {
  return hub.store.decide({
    needs: [need(POKER_TABLES, id)],
    decide: (db) => void commitTable(db, hub, openSession(db, hub, id)),
  });
}

/** Applies the clocks that ran out; answers in how many milliseconds the next one does. */
export async function settleDueTables(hub: Hub): Promise<number | undefined> {
  const now = hub.clock.now();
  const ids = await hub.store.readOne((db) => dueTables(db, now, DUE_BATCH_MAX));
  for (const id of ids) {
    const named = { failure: 'the clock of a table failed', table: id };
    await apart(hub, named, () => settleTable(hub, id));
  }
  const next = await hub.store.read(firstDue);
  return next === undefined ? undefined : Math.max(next - hub.clock.now(), LEAST_WAIT_MS);
}

/** A table that cannot be settled is not asked about without end. */
const LEAST_WAIT_MS = 100;
