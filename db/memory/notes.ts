import { HISTORY_MAX } from '../../domain/memory/limits.ts';
import type { Note } from '../../domain/memory/note.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

export interface NewNote extends Omit<Note, 'no'> {
  readonly digest: string;
  /** Length in words. */
  readonly words: number;
}

/** A stored note with what only the index of its space asks for. */
export interface KeptNote extends Note {
  readonly words: number;
}

const BY_KEY = statement('SELECT * FROM notes WHERE space = ? AND key = ?');

export async function noteOfKey(
  db: Reader,
  space: number,
  key: string,
): Promise<KeptNote | undefined> {
  const row = column.one(await linkOf(db).rows(BY_KEY, [space, key]));
  return row && noteOf(row);
}

const BY_NUMBER = statement(
  `SELECT no, id, author, key, content, NULL AS embedding, bytes, words, changed, at FROM notes
    WHERE no IN (SELECT value FROM json_each(?))`,
  `SELECT no, id, author, key, content, NULL AS embedding, bytes, words, changed, at FROM notes
    WHERE no = ANY(?::bigint[])`,
);

/** These notes in no order, without their embeddings. */
export async function notesByNumber(
  db: Reader,
  numbers: readonly number[],
): Promise<readonly KeptNote[]> {
  return (await linkOf(db).rows(BY_NUMBER, [numbers])).map(noteOf);
}

const BY_ID = statement(
  'SELECT * FROM notes WHERE space = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY no',
  'SELECT * FROM notes WHERE space = ? AND id = ANY(?::text[]) ORDER BY no',
);
const FIRST = statement('SELECT * FROM notes WHERE space = ? ORDER BY changed LIMIT ?');

export async function notesById(
  db: Reader,
  space: number,
  ids: readonly string[],
): Promise<readonly KeptNote[]> {
  return (await linkOf(db).rows(BY_ID, [space, ids])).map(noteOf);
}

/** The notes of a space that changed longest ago. */
export async function firstNotes(
  db: Reader,
  space: number,
  limit: number,
): Promise<readonly KeptNote[]> {
  return (await linkOf(db).rows(FIRST, [space, limit])).map(noteOf);
}

const DELETE_VERSIONS = statement('DELETE FROM note_versions WHERE note = ?');
const DELETE = statement('DELETE FROM notes WHERE no = ?');
const TRACE = statement('INSERT INTO note_deletions (space, changed, note) VALUES (?, ?, ?)');

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
  await link.rows(TRACE, [space, changed, no]);
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
    ORDER BY changed DESC LIMIT ?`),
  oldest: statement(`
    SELECT no, bytes FROM notes WHERE space = ? AND changed > ?
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
  },
): Promise<NotePage> {
  const { order, from, limit, bytesMax } = page;
  const rows = await linkOf(db).rows(WEIGHTS[order], [space, from, limit + 1]);
  const numbers: number[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    bytes += column.whole(row, 'bytes');
    if (numbers.length > 0 && bytes > bytesMax) break;
    numbers.push(column.whole(row, 'no'));
  }
  const notes = (await linkOf(db).rows(FULL, [numbers])).map(noteOf);
  const sign = order === 'newest' ? -1 : 1;
  return {
    notes: notes.sort((a, b) => sign * (a.changed - b.changed)),
    isLast: numbers.length === rows.length,
  };
}

export interface NoteVersion {
  readonly author: Account;
  readonly content: string;
  readonly at: Instant;
}

const VERSIONS = statement(`
  SELECT author, content, at FROM note_versions WHERE note = ?
  ORDER BY changed DESC LIMIT ${HISTORY_MAX}`);

/** Returns the earlier contents of a note's key, newest first. */
export async function versionsOf(db: Reader, no: number): Promise<readonly NoteVersion[]> {
  const rows = await linkOf(db).rows(VERSIONS, [no]);
  return rows.map((row) => ({
    author: column.account(row, 'author'),
    content: column.text(row, 'content'),
    at: column.time(row, 'at'),
  }));
}

function noteOf(row: Row): KeptNote {
  const key = column.textOrNull(row, 'key');
  const embedding = column.textOrNull(row, 'embedding');
  return {
    no: column.whole(row, 'no'),
    id: column.text(row, 'id'),
    author: column.account(row, 'author'),
    ...(key !== null && { key }),
    content: column.text(row, 'content'),
    ...(embedding !== null && { embedding }),
    bytes: column.whole(row, 'bytes'),
    words: column.whole(row, 'words'),
    changed: column.whole(row, 'changed'),
    at: column.time(row, 'at'),
  };
}
