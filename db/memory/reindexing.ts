import { ANALYSER } from '../../domain/analysis/words.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { KEPT_NOTES, NO_VECTOR, type KeptNote } from './notes.ts';

/**
 * A space with notes of an earlier analyser, and its progress: first its notes are analysed in the
 * order of their changes, then its entries are cleaned in the order of the index.
 */
export const NOTE_REINDEXING = table(
  'note_reindexing',
  {
    space: columns.integer().key(),
    /** Notes whose change is above `done` and not above `until` are still to be analysed. */
    done: columns.integer(),
    until: columns.integer(),
    stem: columns.text(),
    whole: columns.text(),
    note: columns.integer(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);

export interface Reindexing extends RowIn<typeof NOTE_REINDEXING> {
  /** Undefined when the space was deleted. */
  readonly spaceId: string | undefined;
}

const NEXT = statement(`
  SELECT r.*, s.id FROM note_reindexing r
  LEFT JOIN memory_spaces s ON s.no = r.space ORDER BY r.space LIMIT 1`);
const OF_SPACE = `
  SELECT r.*, s.id FROM note_reindexing r
  LEFT JOIN memory_spaces s ON s.no = r.space WHERE r.space = ?`;
const LOCK = statement(OF_SPACE, `${OF_SPACE} FOR UPDATE OF r`);

export async function nextReindexing(db: Reader): Promise<Reindexing | undefined> {
  return reindexingOf(await linkOf(db).rows(NEXT, []));
}

/** Locks the progress of a space; undefined when it is done. Its space is locked first. */
export async function lockReindexing(tx: Writer, space: number): Promise<Reindexing | undefined> {
  return reindexingOf(await linkOf(tx).rows(LOCK, [space]));
}

function reindexingOf(rows: readonly Readonly<Record<string, unknown>>[]): Reindexing | undefined {
  const row = column.one(rows);
  if (row === undefined) return undefined;
  const spaceId = column.textOrNull(row, 'id') ?? undefined;
  return { ...NOTE_REINDEXING.fromRow(row), spaceId };
}

export type NoteContent = Pick<KeptNote, 'no' | 'changed' | 'content'>;

const WAITING = statement(`
  SELECT ${NO_VECTOR} FROM notes WHERE space = ? AND changed > ? AND changed <= ?
  ORDER BY changed LIMIT ?`);

export async function notesToReindex(
  db: Reader,
  { space, done, until }: Reindexing,
  limit: number,
): Promise<readonly NoteContent[]> {
  return (await linkOf(db).rows(WAITING, [space, done, until, limit])).map(KEPT_NOTES.fromRow);
}

const SAVE = statement('UPDATE note_reindexing SET done = ? WHERE space = ?');

export async function saveReindexed(tx: Writer, space: number, done: number): Promise<void> {
  await linkOf(tx).rows(SAVE, [done, space]);
}

const AFTER_PLACE = `(stem, whole, note) >
  (SELECT r.stem, r.whole, r.note FROM note_reindexing r WHERE r.space = ?)`;
const BOUNDARY = statement(`
  SELECT stem, whole, note FROM note_words WHERE space = ? AND ${AFTER_PLACE}
  ORDER BY stem, whole, note LIMIT 1 OFFSET ?`);
const SWEEP = statement(`
  DELETE FROM note_words WHERE space = ? AND ${AFTER_PLACE}
    AND (stem, whole, note) <= (?, ?, ?) AND analyser < ${ANALYSER}`);
const SWEEP_REST = statement(`
  DELETE FROM note_words WHERE space = ? AND ${AFTER_PLACE} AND analyser < ${ANALYSER}`);
const MOVE = statement('UPDATE note_reindexing SET stem = ?, whole = ?, note = ? WHERE space = ?');
const FINISH = statement('DELETE FROM note_reindexing WHERE space = ?');

/** Removes what an earlier analyser left among the next entries; finishes the space at the end. */
export async function sweepEntries(tx: Writer, space: number, entries: number): Promise<void> {
  const link = linkOf(tx);
  const last = column.one(await link.rows(BOUNDARY, [space, space, entries - 1]));
  if (last === undefined) {
    await link.rows(SWEEP_REST, [space, space]);
    await link.rows(FINISH, [space]);
    return;
  }
  const place = [column.text(last, 'stem'), column.text(last, 'whole'), column.whole(last, 'note')];
  await link.rows(SWEEP, [space, space, ...place]);
  await link.rows(MOVE, [...place, space]);
}
