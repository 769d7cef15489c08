import type { Account } from '../../domain/account.ts';
import type { EventKind } from '../../domain/eventKinds.ts';
import type { Instant } from '../../domain/instant.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import { account, integer, moment, text } from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { notedEffects } from '../batch/noted.ts';
import type { RowIn } from '../batch/table.ts';
import { writeInside } from '../batch/write.ts';
import { IN_LIST } from '../inList.ts';
import type { NotedEvent } from '../noted.ts';
import { table } from '../batch/table.ts';

/** The number of the newest event of each account. */
export const ACCOUNT_EVENT_HEADS = table(
  'account_event_heads',
  { account: account().key(), seq: integer() },
  { use: 'single', personal: { apart: 'the number of the newest event' } },
);

export const ACCOUNT_EVENTS = table(
  'account_events',
  {
    account: account().key(),
    /** From 1 without gaps, of its account. */
    seq: integer().key(),
    at: moment(),
    kind: text(),
    subjectId: text(),
    attemptId: text().optional(),
    ref: text().optional(),
    state: text().optional(),
    actor: account().optional(),
  },
  { use: 'single', personal: { owner: 'account', order: ['seq'] } },
);
export type AccountEvent = Omit<RowIn<typeof ACCOUNT_EVENTS>, 'account'>;

/** Events of one account that are kept; older ones are dropped as new ones come. */
export const EVENTS_KEPT_MAX = 10_000;

/**
 * Stores an event for each account once the unit commits; accounts of the house have no reader. It
 * is written after the unit's own work, so the locks that number events are taken last.
 */
export function noteEvent(
  tx: Pick<Writer, 'noted'>,
  accounts: readonly (Account | undefined)[],
  event: Omit<NotedEvent, 'account' | 'kind'> & { readonly kind: EventKind },
): void {
  for (const account of new Set(accounts)) {
    if (account !== undefined && !account.startsWith('hub:')) tx.noted.push({ account, ...event });
  }
}

/** Writes noted events as the unit's last act, since it locks the numbers until the commit. */
export async function writeNoted(tx: Writer): Promise<void> {
  if (tx.noted.length === 0) return;
  await writeInside(linkOf(tx), notedEffects(tx.noted));
  tx.noted.length = 0;
}

const AFTER = statement(`
  SELECT ${ACCOUNT_EVENTS.columns.join(', ')} FROM account_events WHERE account = ? AND seq > ? ORDER BY seq LIMIT ?`);
const HEAD = statement('SELECT seq FROM account_event_heads WHERE account = ?');

/** Events behind a number, oldest first, and the number of the newest, 0 for none. */
export async function eventsBehind(
  db: Reader,
  account: Account,
  after: number,
  limit: number,
): Promise<{ readonly head: number; readonly events: readonly AccountEvent[] }> {
  const row = column.one(await linkOf(db).rows(HEAD, [account]));
  const head = row === undefined ? 0 : column.whole(row, 'seq');
  if (head <= after) return { head, events: [] };
  const rows = await linkOf(db).rows(AFTER, [account, after, limit]);
  return { head, events: rows.map(ACCOUNT_EVENTS.fromRow) };
}

const BOOKS = statement(
  `SELECT a.network, a.seq FROM networks n JOIN accounts a
     ON a.network = n.id AND a.asset = ? AND a.name = ? AND a.shard = 0 ORDER BY a.network`,
);

/** The newest entry of an account on each network that it has money on. */
export async function booksOf(
  db: Reader,
  account: Account,
): Promise<ReadonlyMap<NetworkId, number>> {
  const rows = await linkOf(db).rows(BOOKS, [ASSET, account]);
  return new Map(
    rows.map((row) => [column.text(row, 'network') as NetworkId, column.whole(row, 'seq')]),
  );
}

const marks = (named: string, given: string): string => `
  SELECT name, CAST(SUM(seq) AS INTEGER) AS mark FROM (
    SELECT a.name, a.seq FROM ${named} CROSS JOIN networks n JOIN accounts a
      ON a.network = n.id AND a.asset = ? AND a.name = given.value AND a.shard = 0
    UNION ALL
    SELECT account, seq FROM account_event_heads WHERE account ${given}) AS each_one
   GROUP BY name`;
const MARKS = statement(
  marks('json_each(?) AS given', IN_LIST.sqlite),
  marks('unnest(?::text[]) AS given (value)', IN_LIST.postgres).replace('INTEGER', 'BIGINT'),
);

/** A number for each account that grows with whatever happens to it; absent where nothing did. */
export async function marksOf(
  db: Reader,
  accounts: readonly Account[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await linkOf(db).rows(MARKS, [accounts, ASSET, accounts]);
  return new Map(rows.map((row) => [column.text(row, 'name'), Number(row['mark'])]));
}

const EXPIRE = statement(
  `DELETE FROM account_events WHERE (account, seq) IN (
     SELECT account, seq FROM account_events WHERE at < ? ORDER BY at LIMIT ?) RETURNING 1 AS gone`,
);

/** Drops the oldest events from before a moment; answers how many. */
export async function dropEvents(tx: Writer, before: Instant, limit: number): Promise<number> {
  return (await linkOf(tx).rows(EXPIRE, [before, limit])).length;
}
