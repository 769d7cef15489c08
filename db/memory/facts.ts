import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { JSON_ROWS } from '../jsonRows.ts';
import { KEPT_NOTES, type KeptNote } from './notes.ts';

/** Facts, ends and readers of notes: what filters, deletes and announces them. */
const FACTS_PAGE = 1_000;
const ROWS = `SELECT no, changed, metadata, CASE WHEN embedding IS NULL THEN 0 ELSE 1 END AS embedded
  FROM notes WHERE space = ? AND changed > ? AND metadata IS NOT NULL
  ORDER BY changed LIMIT ${FACTS_PAGE}`;
const page = (rows: string): string => `SELECT ${rows} AS rows FROM (${ROWS}) AS page`;
const FACTS = statement(
  page(JSON_ROWS.sqlite.arrays('no, changed, metadata, embedded')),
  page(JSON_ROWS.postgres.arrays('no, changed, metadata, embedded')),
);

export type FactsRow = readonly [no: number, changed: number, metadata: string, embedded: number];

/** A page of the notes of a space that have facts, behind a change; `isLast` ends the pages. */
export async function factsAfter(
  db: Reader,
  space: number,
  after: number,
): Promise<{ readonly rows: readonly FactsRow[]; readonly isLast: boolean }> {
  const row = column.one(await linkOf(db).rows(FACTS, [space, after]));
  const rows = row === undefined ? [] : (JSON.parse(column.text(row, 'rows')) as FactsRow[]);
  return { rows, isLast: rows.length < FACTS_PAGE };
}

const EXPIRED = statement(`SELECT count(*) AS expired FROM (
  SELECT 1 FROM notes WHERE space = ? AND expires_at <= ? LIMIT ?) AS gone`);

/** How many notes of a space have expired and are still stored, at most so many. */
export async function countExpired(
  db: Reader,
  space: number,
  now: Instant,
  atMost: number,
): Promise<number> {
  const row = column.one(await linkOf(db).rows(EXPIRED, [space, now, atMost]));
  return row === undefined ? 0 : column.whole(row, 'expired');
}

const NEXT = statement(`
  SELECT s.id FROM notes n JOIN memory_spaces s ON s.no = n.space
  WHERE n.expires_at <= ? ORDER BY n.expires_at LIMIT 1`);
const OF_SPACE = statement(`
  SELECT * FROM notes WHERE space = ? AND expires_at <= ? ORDER BY changed LIMIT ?`);

/** A space that has expired notes; undefined when none has. */
export async function spaceWithExpired(db: Reader, now: Instant): Promise<string | undefined> {
  const row = column.one(await linkOf(db).rows(NEXT, [now]));
  return row && column.text(row, 'id');
}

export async function expiredNotes(
  db: Reader,
  space: number,
  now: Instant,
  limit: number,
): Promise<readonly KeptNote[]> {
  return (await linkOf(db).rows(OF_SPACE, [space, now, limit])).map(KEPT_NOTES.fromRow);
}

const UNANNOUNCED = statement(`
  SELECT id, announced FROM memory_spaces WHERE kind = 'shared' AND changes > announced
  ORDER BY no LIMIT ?`);
const AUTHORS = statement(`
  SELECT DISTINCT author FROM notes WHERE space = ? AND changed > ? ORDER BY author LIMIT 2`);
const DELETED = statement(`
  SELECT 1 AS gone FROM note_deletions WHERE space = ? AND changed > ? LIMIT 1`);

/** Shared spaces that changed since their readers had an event, and the change of that. */
export async function unannounced(
  db: Reader,
  limit: number,
): Promise<readonly { readonly id: string; readonly announced: number }[]> {
  const rows = await linkOf(db).rows(UNANNOUNCED, [limit]);
  return rows.map((row) => ({
    id: column.text(row, 'id'),
    announced: column.whole(row, 'announced'),
  }));
}

/** The one account that made all changes after a place; undefined for several or a deletion. */
export async function onlyAuthorAfter(db: Reader, space: number, after: number) {
  const deleted = await linkOf(db).rows(DELETED, [space, after]);
  const authors = await linkOf(db).rows(AUTHORS, [space, after]);
  const [only] = authors;
  if (deleted.length > 0 || authors.length !== 1 || only === undefined) return undefined;
  return column.account(only, 'author');
}
