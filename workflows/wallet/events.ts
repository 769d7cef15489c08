import { entriesBehind, type StatementEntry } from '../../db/ledger/statement.ts';
import type { Reader } from '../../db/store.ts';
import { booksOf, eventsBehind, type AccountEvent } from '../../db/wallet/accountEvents.ts';
import { unreadAt } from '../../db/tasks/unread.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { EventCursor } from '../../domain/eventCursor.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';

/** One thing that happened to an account. */
export type Happening =
  | { readonly is: 'event'; readonly event: AccountEvent; readonly unread?: number }
  | { readonly is: 'entry'; readonly network: NetworkId; readonly entry: StatementEntry };

/** The kind that its reader filters by. */
export function kindOf(happening: Happening): string {
  return happening.is === 'event' ? happening.event.kind : `money.${happening.entry.direction}`;
}

export interface EventsPage {
  readonly happenings: readonly Happening[];
  /** Behind the last of them. */
  readonly cursor: EventCursor;
  readonly more: boolean;
  /** Events behind the cursor that asked which are kept no longer. */
  readonly dropped: number;
}

/**
 * Returns the events of an account after a cursor: its events and the entries of its books, each
 * sequence in its own order and merged by time (choices wallet.following). A page takes from the
 * front of every sequence alone, so the next cursor leaves nothing out.
 */
export async function eventsPage(
  db: Reader,
  account: Account,
  after: EventCursor,
  limit: number,
): Promise<EventsPage> {
  const { head, events } = await eventsBehind(db, account, after.events, limit + 1);
  const unread = await unreadAt(db, account, events.flatMap(commentOf));
  const first = events[0]?.seq ?? Math.max(head, after.events) + 1;
  const lines: Happening[][] = [
    events.map((event) => ({
      is: 'event',
      event,
      ...defined({ unread: unread.get(event.ref ?? '') }),
    })),
  ];
  const books = await booksOf(db, account);
  for (const [network, newest] of books) {
    const seen = after.money.get(network) ?? 0;
    if (newest <= seen) continue;
    const entries = await entriesBehind(db, account, { network, asset: ASSET }, seen, limit + 1);
    lines.push(entries.map((entry) => ({ is: 'entry', network, entry })));
  }
  const happenings: Happening[] = [];
  while (happenings.length < limit) {
    const next = earliestFront(lines)?.shift();
    if (next === undefined) break;
    happenings.push(next);
  }
  // Networks that the account has no books on are ignored, whatever the cursor names.
  const money = new Map([...after.money].filter(([network]) => books.has(network)));
  const start = { events: first - 1, money };
  return {
    happenings,
    cursor: behind(start, happenings),
    more: lines.some((line) => line.length > 0),
    dropped: first - 1 - after.events,
  };
}

function commentOf({ kind, subjectId, ref }: AccountEvent): (readonly [string, string])[] {
  return kind === 'comment.posted' && ref !== undefined ? [[subjectId, ref]] : [];
}

/** The place behind everything that has happened by now. */
export async function cursorOfNow(db: Reader, account: Account): Promise<EventCursor> {
  const { head } = await eventsBehind(db, account, Number.MAX_SAFE_INTEGER, 0);
  return { events: head, money: await booksOf(db, account) };
}

/** The line whose next one is the oldest; they are never sorted within a line. */
function earliestFront(lines: readonly Happening[][]): Happening[] | undefined {
  let found: Happening[] | undefined;
  for (const line of lines) {
    const [front] = line;
    if (front === undefined) continue;
    if (found?.[0] === undefined || atOf(front) < atOf(found[0])) found = line;
  }
  return found;
}

function atOf(happening: Happening): number {
  return happening.is === 'event' ? happening.event.at : happening.entry.at;
}

/** The place behind happenings that follow a place. */
export function behind(after: EventCursor, happenings: readonly Happening[]): EventCursor {
  let { events } = after;
  const money = new Map(after.money);
  for (const each of happenings) {
    if (each.is === 'event') events = each.event.seq;
    else money.set(each.network, each.entry.seq);
  }
  return { events, money };
}
