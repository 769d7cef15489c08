import type { Account } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import type { Storage } from '../../domain/memory/storage.ts';
import { ANALYSER } from '../../domain/analysis/words.ts';
import type { NoteWord } from '../../domain/memory/words.ts';
import type { Cell, Dialect } from '../connection.ts';
import { textCell, wholeCell, type Table, rowsByText } from '../declared/table.ts';
import type { KeptNote, NewNote } from './notes.ts';
import type { Grant, Space } from './spaces.ts';
import { listed } from './words.ts';

/**
 * The tables of memory for declared units that add a note, in their order of locks: spaces by
 * number, grants on them, then accounts by name. A note that another process stored meanwhile is
 * found by the unique keys of the table, and the unit decides again.
 */
const SPACE_COLUMNS = [
  'id',
  'no',
  'owner',
  'name',
  'kind',
  'notes',
  'embedded',
  'words',
  'bytes',
  'changes',
  'created_at',
];
export const MEMORY_SPACES: Table<string, Space> = {
  name: 'memory_spaces',
  read: rowsByText('memory_spaces', 'id', SPACE_COLUMNS, { order: 'no' }),
  id: (id) => id,
  keyCells: (id) => [id],
  found(cells) {
    const id = textCell(cells, 0);
    const whole = (at: number): number => wholeCell(cells, at);
    const space: Space = {
      ...{ id, no: whole(1), owner: textCell(cells, 2) as Account, name: textCell(cells, 3) },
      kind: cells[4] === 'shared' ? 'shared' : 'private',
      ...{ notes: whole(5), embedded: whole(6), words: whole(7), bytes: whole(8) },
      ...{ changes: whole(9), createdAt: instant(whole(10)) },
    };
    return [id, space];
  },
  inserted: () => undefined,
  updated: ({ no, notes, embedded, words, bytes, changes }, before) => [
    ...[no, notes, embedded, words, bytes, changes],
    before.changes,
  ],
};

export interface GrantKey {
  readonly spaceId: string;
  readonly grantee: Account;
}
const grantId = ({ spaceId, grantee }: GrantKey): string => `${spaceId} ${grantee}`;
const GRANT_CELLS = 'g.space_id, g.grantee, g.can_write, g.at';
export const MEMORY_GRANTS: Table<GrantKey, Grant> = {
  name: 'memory_grants',
  read: {
    sqlite: `SELECT json_group_array(json_array(s.id, g.grantee, g.can_write, g.at))
      FROM json_each(?) k CROSS JOIN memory_spaces s ON s.id = k.value ->> 0
      CROSS JOIN memory_grants g ON g.space = s.no AND g.grantee = k.value ->> 1`,
    // Locked, so that one that was taken back while the space was waited for is not seen.
    postgres: `SELECT json_agg(json_build_array(${GRANT_CELLS}))::text FROM (
      SELECT s.id AS space_id, g.* FROM jsonb_array_elements(?::jsonb) AS k (value)
      JOIN memory_spaces s ON s.id = k.value ->> 0
      JOIN memory_grants g ON g.space = s.no AND g.grantee = k.value ->> 1 FOR SHARE OF g) AS g`,
  },
  id: grantId,
  keyCells: ({ spaceId, grantee }) => [spaceId, grantee],
  found(cells) {
    const grantee = textCell(cells, 1) as Account;
    const grant = { grantee, canWrite: cells[2] === 1, at: instant(wholeCell(cells, 3)) };
    return [grantId({ spaceId: textCell(cells, 0), grantee }), grant];
  },
  inserted: () => undefined,
};

const STORAGE_COLUMNS = [
  'account',
  'spaces',
  'notes',
  'note_bytes',
  'notes_written',
  'files',
  'file_bytes',
  'settled_day',
  'paid_day',
  'read_only',
];
export const MEMORY_ACCOUNTS: Table<Account, Storage> = {
  name: 'memory_accounts',
  read: rowsByText('memory_accounts', 'account', STORAGE_COLUMNS),
  id: (account) => account,
  keyCells: (account) => [account],
  found(cells) {
    const account = textCell(cells, 0) as Account;
    const whole = (at: number): number => wholeCell(cells, at);
    const storage: Storage = {
      ...{ account, spaces: whole(1), notes: whole(2), noteBytes: whole(3) },
      ...{ notesWritten: whole(4), files: whole(5), fileBytes: whole(6), settledDay: whole(7) },
      ...(cells[8] !== null && { paidDay: whole(8) }),
      readOnly: cells[9] === 1,
    };
    return [account, storage];
  },
  inserted: ({ account, spaces, notes, noteBytes, notesWritten, files, fileBytes, ...rent }) => [
    ...[account, spaces, notes, noteBytes, notesWritten, files, fileBytes],
    ...[rent.settledDay, rent.paidDay ?? null, rent.readOnly ? 1 : 0],
  ],
  updated: ({ account, notes, noteBytes, notesWritten, settledDay }, before) => [
    ...[account, notes, noteBytes, notesWritten, settledDay],
    ...[before.notes, before.noteBytes, before.notesWritten, before.settledDay, before.fileBytes],
  ],
};

/** What an answer says of a note that is there. */
export interface NoteThere extends Pick<KeptNote, 'id' | 'author' | 'key' | 'bytes' | 'at'> {
  readonly embedded: boolean;
}
/** A note that is added, in a space. */
export interface NoteAdded extends NoteThere {
  readonly added: { readonly space: number; readonly note: NewNote };
}
export interface NoteKey {
  readonly spaceId: string;
  /** Digest of the note in `NOTES`, key of the note in `NOTE_KEYS`. */
  readonly of: string;
}
const noteId = ({ spaceId, of }: NoteKey): string => `${spaceId} ${of}`;
const noteRead = (column: string, cells: string): Readonly<Record<Dialect, string>> => ({
  sqlite: `SELECT json_group_array(json_array(s.id, ${cells})) FROM json_each(?) k
    CROSS JOIN memory_spaces s ON s.id = k.value ->> 0
    CROSS JOIN notes n ON n.space = s.no AND n.${column} = k.value ->> 1`,
  postgres: `SELECT json_agg(json_build_array(s.id, ${cells}))::text
    FROM jsonb_array_elements(?::jsonb) AS k (value)
    JOIN memory_spaces s ON s.id = k.value ->> 0
    JOIN notes n ON n.space = s.no AND n.${column} = k.value ->> 1`,
});

/** Notes by what they are. */
export const NOTES: Table<NoteKey, NoteThere | NoteAdded> = {
  name: 'notes',
  read: noteRead(
    'digest',
    `n.digest, n.id, n.author, n.key, n.bytes, n.at,
    CASE WHEN n.embedding IS NULL THEN 0 ELSE 1 END`,
  ),
  id: noteId,
  keyCells: ({ spaceId, of }) => [spaceId, of],
  found(cells) {
    const note: NoteThere = {
      id: textCell(cells, 2),
      author: textCell(cells, 3) as Account,
      ...(cells[4] !== null && { key: textCell(cells, 4) }),
      bytes: wholeCell(cells, 5),
      at: instant(wholeCell(cells, 6)) satisfies Instant,
      embedded: cells[7] === 1,
    };
    return [noteId({ spaceId: textCell(cells, 0), of: textCell(cells, 1) }), note];
  },
  inserted: (row) => ('added' in row ? noteCells(row) : undefined),
};

function noteCells({ added: { space, note } }: NoteAdded): readonly Cell[] {
  const { id, author, key, content, embedding, digest, bytes, words, changed, at } = note;
  return [
    ...[id, space, author, key ?? null, content, embedding ?? null],
    ...[digest, bytes, words, changed, at],
  ];
}

/** Keys that a space has notes under; written with the notes. */
export const NOTE_KEYS: Table<NoteKey, true> = {
  name: 'note_keys',
  read: noteRead('key', 'n.key'),
  id: noteId,
  keyCells: ({ spaceId, of }) => [spaceId, of],
  found: (cells) => [noteId({ spaceId: textCell(cells, 0), of: textCell(cells, 1) }), true],
  inserted: () => undefined,
};

export interface WordsOfNote {
  readonly noteId: string;
  readonly space: number;
  readonly words: readonly NoteWord[];
}
export const NOTE_WORDS: Table<string, WordsOfNote> = {
  name: 'note_words_analysed',
  id: (id) => id,
  keyCells: (id) => [id],
  inserted: ({ noteId: id, space, words }) =>
    words.length === 0 ? undefined : [id, space, listed(words), ANALYSER],
};
