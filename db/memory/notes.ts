import type { Instant } from '../../domain/instant.ts';
import { HISTORY_MAX } from '../../domain/memory/limits.ts';
import type { Note } from '../../domain/memory/note.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

export interface NewNote extends Omit<Note, 'no'> {
  readonly digest: string;
  /** Length in words. */
  readonly words: number;
}

export const KEPT_NOTES = table(
  'notes',
  {
    no: columns.integer().key(),
    id: columns.text(),
    space: columns.integer(),
    author: columns.account(),
    key: columns.text().optional(),
    content: columns.text(),
    embedding: columns.text().optional(),
    digest: columns.text(),
    bytes: columns.integer(),
    words: columns.integer(),
    changed: columns.integer(),
    at: columns.moment(),
    metadata: columns.text().optional(),
    expiresAt: columns.moment().optional(),
  },
  {
    use: 'single',
    personal: {
      owner: 'author',
      without: ['embedding', 'digest'],
      stays: 'Notes in spaces of others belong to those; notes of own spaces are erased.',
    },
  },
);
/** A stored note with what only the index of its space asks for. */
export type KeptNote = RowIn<typeof KEPT_NOTES>;

/** Former contents of notes. */
export const NOTE_VERSIONS = table(
  'note_versions',
  {
    note: columns.integer().key(),
    changed: columns.integer().key(),
    author: columns.account(),
    content: columns.text(),
    at: columns.moment(),
  },
  { use: 'single', personal: { apart: 'former versions of notes, in the export of a space' } },
);

/** The changes of a space that deleted a note. */
export const NOTE_DELETIONS = table(
  'note_deletions',
  { space: columns.integer().key(), changed: columns.integer().key(), note: columns.integer() },
  { use: 'single', personal: { apart: 'about no account' } },
);

const BY_KEY = statement('SELECT * FROM notes WHERE space = ? AND key = ?');

export async function noteOfKey(
  db: Reader,
  space: number,
  key: string,
): Promise<KeptNote | undefined> {
  const row = column.one(await linkOf(db).rows(BY_KEY, [space, key]));
  return row && KEPT_NOTES.fromRow(row);
}

/** The columns with NULL for the embedding, which is long. */
export const NO_VECTOR = KEPT_NOTES.columns.join(', ').replace('embedding', 'NULL AS embedding');
const BY_NUMBER = statement(
  `SELECT ${NO_VECTOR} FROM notes WHERE no IN (SELECT value FROM json_each(?))`,
  `SELECT ${NO_VECTOR} FROM notes WHERE no = ANY(?::bigint[])`,
);

/** These notes in no order, without their embeddings. */
export async function notesByNumber(
  db: Reader,
  numbers: readonly number[],
): Promise<readonly KeptNote[]> {
  return (await linkOf(db).rows(BY_NUMBER, [numbers])).map(KEPT_NOTES.fromRow);
}

const BY_ID = statement(
  'SELECT * FROM notes WHERE space = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY no',
  'SELECT * FROM notes WHERE space = ? AND id = ANY(?::text[]) ORDER BY no',
);
const BY_KEYS = statement(
  'SELECT * FROM notes WHERE space = ? AND key IN (SELECT value FROM json_each(?)) ORDER BY no',
  'SELECT * FROM notes WHERE space = ? AND key = ANY(?::text[]) ORDER BY no',
);
const FIRST = statement('SELECT * FROM notes WHERE space = ? ORDER BY changed LIMIT ?');

export async function notesByKey(
  db: Reader,
  space: number,
  keys: readonly string[],
): Promise<readonly KeptNote[]> {
  return (await linkOf(db).rows(BY_KEYS, [space, keys])).map(KEPT_NOTES.fromRow);
}

export async function notesById(
  db: Reader,
  space: number,
  ids: readonly string[],
): Promise<readonly KeptNote[]> {
  return (await linkOf(db).rows(BY_ID, [space, ids])).map(KEPT_NOTES.fromRow);
}

/** The notes of a space that changed longest ago. */
export async function firstNotes(
  db: Reader,
  space: number,
  limit: number,
): Promise<readonly KeptNote[]> {
  return (await linkOf(db).rows(FIRST, [space, limit])).map(KEPT_NOTES.fromRow);
}

const DELETE_VERSIONS = statement('DELETE FROM note_versions WHERE note = ?');
const DELETE = statement('DELETE FROM notes WHERE no = ?');
const TRACE = statement(NOTE_DELETIONS.insertion);

/** Deletes a note with its history; `changed` is the change of its space that this is. */
export async function deleteNote(
  tx: Writer,
  space: number,
  no: number,
  changed: number,
): Promise<void> {
  const link = linkOf(tx);
  await link.rows(DELETE_VERSIONS, [no]);
  await link.rows(DELETE, [no]);
  await link.rows(TRACE, NOTE_DELETIONS.cells({ space, changed, note: no }));
}

const PLACE = statement('SELECT changed FROM notes WHERE space = ? AND id = ?');

/** Where a note stands among the changes of its space; undefined when it is none of it. */
export async function placeOf(
  db: Reader,
  space: number,
  noteId: string,
): Promise<number | undefined> {
  const row = column.one(await linkOf(db).rows(PLACE, [space, noteId]));
  return row && column.whole(row, 'changed');
}

const WEIGHTS = {
  newest: statement(`
    SELECT no, bytes FROM notes WHERE space = ? AND changed < ?
      AND (expires_at IS NULL OR expires_at > ?)
    ORDER BY changed DESC LIMIT ?`),
  oldest: statement(`
    SELECT no, bytes FROM notes WHERE space = ? AND changed > ?
      AND (expires_at IS NULL OR expires_at > ?)
    ORDER BY changed LIMIT ?`),
};
const FULL = statement(
  'SELECT * FROM notes WHERE no IN (SELECT value FROM json_each(?))',
  'SELECT * FROM notes WHERE no = ANY(?::bigint[])',
);

export interface NotePage {
  readonly notes: readonly Note[];
  readonly isLast: boolean;
}

/** A page behind a place among the changes: as many notes as fit into the bytes, at least one. */
export async function notePage(
  db: Reader,
  space: number,
  page: {
    readonly order: 'newest' | 'oldest';
    readonly from: number;
    readonly limit: number;
    readonly bytesMax: number;
    /** Notes that expired by then are left out. */
    readonly now: Instant;
  },
): Promise<NotePage> {
  const { order, from, limit, bytesMax, now } = page;
  const rows = await linkOf(db).rows(WEIGHTS[order], [space, from, now, limit + 1]);
  const numbers: number[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    bytes += column.whole(row, 'bytes');
    if (numbers.length > 0 && bytes > bytesMax) break;
    numbers.push(column.whole(row, 'no'));
  }
  const notes = (await linkOf(db).rows(FULL, [numbers])).map(KEPT_NOTES.fromRow);
  const sign = order === 'newest' ? -1 : 1;
  return {
    notes: notes.sort((a, b) => sign * (a.changed - b.changed)),
    isLast: numbers.length === rows.length,
  };
}

const VERSIONS = statement(`
  SELECT * FROM note_versions WHERE note = ?
  ORDER BY changed DESC LIMIT ${HISTORY_MAX}`);

/** Returns the earlier contents of a note's key, newest first. */
export async function versionsOf(
  db: Reader,
  no: number,
): Promise<readonly RowIn<typeof NOTE_VERSIONS>[]> {
  return (await linkOf(db).rows(VERSIONS, [no])).map(NOTE_VERSIONS.fromRow);
}
