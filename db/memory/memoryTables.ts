import type { Account } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { HISTORY_MAX } from '../../domain/memory/limits.ts';
import { ANALYSER } from '../../domain/analysis/words.ts';
import type { NoteWord } from '../../domain/memory/words.ts';
import type { Cell, Dialect } from '../connection.ts';
import { account, amount, flag, integer, text } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import { writeObject } from '../batch/writeObject.ts';
import { KEYS, parentIn, textCell, wholeCell, type Table } from '../batch/need.ts';
import { ACCOUNTS } from '../ledger/accountsTable.ts';
import { TRANSFERS } from '../ledger/ledgerTables.ts';
import { KEPT_NOTES, NOTE_VERSIONS, type KeptNote, type NewNote } from './notes.ts';
import { SPACE_COLUMNS, type Grant } from './spaces.ts';
import { listed, NOTE_ENTRIES, REPLACE_ENTRY } from './words.ts';

/**
 * The tables for transactions that write notes, in their order of locks: spaces by number, grants,
 * accounts by name. Unique keys find a note that another process stored: the unit decides again.
 */
export const MEMORY_SPACES = table('memory_spaces', SPACE_COLUMNS, {
  order: ['no'],
  use: 'update',
});

export interface GrantKey {
  readonly spaceId: string;
  readonly grantee: Account;
}
const grantId = ({ spaceId, grantee }: GrantKey): string => `${spaceId} ${grantee}`;
const GRANT_CELLS = 'g.space_id, g.grantee, g.can_write, g.at';
const grantsOf = (lock: string): string => `
  SELECT json_agg(json_build_array(${GRANT_CELLS}))::text FROM (
    SELECT s.id AS space_id, g.* FROM ${KEYS}
    JOIN memory_spaces s ON s.id = k.value ->> 0
    JOIN memory_grants g ON g.space = s.no AND g.grantee = k.value ->> 1${lock}) AS g`;
export const MEMORY_GRANTS: Table<GrantKey, Grant> = {
  name: 'memory_grants',
  read: {
    sqlite: `SELECT json_group_array(json_array(s.id, g.grantee, g.can_write, g.at))
      FROM json_each(?) k CROSS JOIN memory_spaces s ON s.id = k.value ->> 0
      CROSS JOIN memory_grants g ON g.space = s.no AND g.grantee = k.value ->> 1`,
    // Locked, so that one that was taken back while the space was waited for is not seen.
    postgres: grantsOf(' FOR SHARE OF g'),
  },
  look: grantsOf(''),
  id: grantId,
  keyCells: ({ spaceId, grantee }) => [spaceId, grantee],
  found(cells) {
    const grantee = textCell(cells, 1) as Account;
    const grant = { grantee, canWrite: cells[2] === 1, at: instant(wholeCell(cells, 3)) };
    return [grantId({ spaceId: textCell(cells, 0), grantee }), grant];
  },
  isDerived: true,
  under: [MEMORY_SPACES],
};

export const MEMORY_ACCOUNTS = table(
  'memory_accounts',
  {
    account: account().key(),
    spaces: integer(),
    notes: integer(),
    noteBytes: integer(),
    notesWritten: integer(),
    files: integer(),
    fileBytes: integer(),
    settledDay: integer(),
    paidDay: integer().optional(),
    readOnly: flag(),
  },
  {
    personal: { apart: 'sums of spaces and files' },
    under: [MEMORY_SPACES, MEMORY_GRANTS],
    after: [ACCOUNTS],
  },
);

/** The facts that an answer has of a note that exists. */
export interface NoteThere extends Pick<KeptNote, 'id' | 'author' | 'key' | 'bytes' | 'at'> {
  readonly embedded: boolean;
}
export interface NoteAdded extends NoteThere {
  readonly added: { readonly space: number; readonly note: NewNote };
}
export interface NoteKey {
  readonly spaceId: string;
  /** Digest of the note in `NOTES`, key of the note in `KEYED_NOTES`. */
  readonly of: string;
}
const noteId = ({ spaceId, of }: NoteKey): string => `${spaceId} ${of}`;
const idOfCells = (cells: readonly unknown[]): string =>
  noteId({ spaceId: textCell(cells, 0), of: textCell(cells, 1) });
const spaceOf = parentIn(MEMORY_SPACES, ({ spaceId }: { readonly spaceId: string }) => spaceId);
const EMBEDDED = 'CASE WHEN n.embedding IS NULL THEN 0 ELSE 1 END';
const noteRead = (column: string, cells: string): Readonly<Record<Dialect, string>> => ({
  sqlite: `SELECT json_group_array(json_array(s.id, n.${column}, ${cells})) FROM json_each(?) k
    CROSS JOIN memory_spaces s ON s.id = k.value ->> 0
    CROSS JOIN notes n ON n.space = s.no AND n.${column} = k.value ->> 1`,
  postgres: `SELECT json_agg(json_build_array(s.id, n.${column}, ${cells}))::text
    FROM ${KEYS}
    JOIN memory_spaces s ON s.id = k.value ->> 0
    JOIN notes n ON n.space = s.no AND n.${column} = k.value ->> 1`,
});

/** Notes by what they are; an overwrite of the same batch may have taken one away. */
export const NOTES: Table<NoteKey, NoteThere | NoteAdded> = {
  name: 'notes',
  read: noteRead('digest', `n.id, n.author, n.key, n.bytes, n.at, ${EMBEDDED}`),
  personal: {
    owner: 'author',
    order: ['no:int'],
    without: ['embedding', 'digest'],
    stays: 'Notes in spaces of others belong to those; notes of own spaces are erased.',
  },
  readsUnder: spaceOf,
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
    return [idOfCells(cells), note];
  },
  insert: writeObject('notes', {
    statement: (rows) => `
      INSERT INTO notes (${KEPT_NOTES.columns.slice(1).join(', ')})
      SELECT $0, $1:int, $2, $3, $4, $5, $6, $7:int, $8:int, $9:int, $10:int, $11, $12:int
      FROM ${rows}`,
  }),
  inserted: (row) => ('added' in row ? noteCells(row) : undefined),
};

function noteCells({ added: { space, note } }: NoteAdded): readonly Cell[] {
  const { id, author, key, content, embedding, digest, bytes, words, changed, at } = note;
  const { metadata, expiresAt } = note;
  return [
    id,
    space,
    author,
    key ?? null,
    content,
    embedding ?? null,
    digest,
    bytes,
    words,
    changed,
    at,
    metadata ?? null,
    expiresAt ?? null,
  ];
}

export interface FormerNote extends Pick<
  KeptNote,
  'id' | 'author' | 'content' | 'bytes' | 'words' | 'changed'
> {
  readonly embedded: boolean;
  /** It was added by an earlier transaction of the batch. */
  readonly isNew?: true;
}

/** Notes by the keys that they stand under; written with the notes. */
export const KEYED_NOTES: Table<NoteKey, FormerNote> = {
  name: 'keyed_notes',
  read: noteRead('key', `n.id, n.author, n.content, n.bytes, n.words, n.changed, ${EMBEDDED}`),
  readsUnder: spaceOf,
  id: noteId,
  keyCells: ({ spaceId, of }) => [spaceId, of],
  found: (cells) => [
    idOfCells(cells),
    {
      id: textCell(cells, 2),
      author: textCell(cells, 3) as Account,
      content: textCell(cells, 4),
      bytes: wholeCell(cells, 5),
      words: wholeCell(cells, 6),
      changed: wholeCell(cells, 7),
      embedded: cells[8] === 1,
    },
  ],
  isDerived: true,
};

export interface Overwrite {
  readonly spaceId: string;
  /** The change of the space that made the note what is overwritten. */
  readonly former: number;
  readonly note: NewNote;
}

const THESE = (rows: string): string => `SELECT n.no FROM ${rows} JOIN notes AS n ON n.id = $0`;
/** Puts another content under the key of a note, and the former into its history. */
export const OVERWRITES: Table<string, Overwrite> = {
  name: 'note_overwrites',
  id: (id) => id,
  keyCells: (id) => [id],
  // A unit that looks up notes of the space after it waits for the next batch.
  parent: spaceOf,
  insert: writeObject('note_overwrites', {
    statement: (rows) => `
      INSERT INTO note_versions (${NOTE_VERSIONS.columns.join(', ')})
        SELECT no, changed, author, content, at FROM notes WHERE no IN (${THESE(rows)});
      DELETE FROM note_versions WHERE note IN (${THESE(rows)}) AND ${HISTORY_MAX} <= (
        SELECT count(*) FROM note_versions AS later
        WHERE later.note = note_versions.note AND later.changed > note_versions.changed);
      UPDATE notes SET author = $1, content = $2, embedding = $3, digest = $4, bytes = $5:int,
        words = $6:int, changed = $7:int, at = $8:int, metadata = $10, expires_at = $11:int
      FROM ${rows} WHERE notes.id = $0 AND notes.changed = $9:int`,
  }),
  inserted({ former, note }) {
    const { id, author, content, embedding, digest, bytes, words, changed, at } = note;
    const { metadata = null, expiresAt = null } = note;
    const now = [content, embedding ?? null, digest, bytes, words, changed, at];
    return [id, author, ...now, former, metadata, expiresAt];
  },
  under: [NOTES],
};

export interface WordsOfNote {
  readonly noteId: string;
  readonly space: number;
  readonly words: readonly NoteWord[];
}
/** The words of one row, `$2`: how many there are, and each as a row of its own. */
const WORDS_COUNT = {
  sqlite: 'json_array_length($2)',
  postgres: 'jsonb_array_length($2::jsonb)',
} as const;
const EACH_WORD = {
  sqlite: 'json_each($2) AS w',
  postgres: 'LATERAL jsonb_array_elements($2::jsonb) AS w (value)',
} as const;

/** The words of a content that was overwritten; notes of an earlier analyser have fewer of them. */
export const FORMER_WORDS: Table<string, WordsOfNote> = {
  name: 'note_words_removed',
  id: (id) => id,
  keyCells: (id) => [id],
  insert: writeObject('note_words_removed', {
    statement: (rows, dialect) =>
      dialect === 'sqlite'
        ? `DELETE FROM note_words WHERE (space, stem, whole, note) IN (
            SELECT $1:int, w.value ->> 0, w.value ->> 1, n.no FROM ${rows}
            CROSS JOIN ${EACH_WORD.sqlite} JOIN notes AS n ON n.id = $0)`
        : `DELETE FROM note_words USING ${rows} CROSS JOIN ${EACH_WORD.postgres}
            WHERE note_words.note = (SELECT no FROM notes WHERE id = $0)
              AND note_words.space = $1:int
              AND note_words.stem = w.value ->> 0 AND note_words.whole = w.value ->> 1`,
    hits: (_, dialect) => (dialect === 'sqlite' ? 'changes()' : 'hit'),
  }),
  inserted: ({ noteId: id, space, words }) => [id, space, listed(words)],
  under: [OVERWRITES],
};

export const NOTE_WORDS: Table<string, WordsOfNote> = {
  name: 'note_words',
  id: (id) => id,
  keyCells: (id) => [id],
  // One row for a note, with its words as JSON text.
  insert: writeObject('note_words', {
    statement: (rows, dialect) =>
      dialect === 'sqlite'
        ? `INSERT INTO note_words (${NOTE_ENTRIES.columns.join(', ')})
          SELECT $1:int, w.value ->> 0, w.value ->> 1, n.no, w.value ->> 2, ${ANALYSER}
          FROM ${rows} CROSS JOIN notes AS n ON n.id = $0 CROSS JOIN ${EACH_WORD.sqlite}
          WHERE true ${REPLACE_ENTRY}`
        : `INSERT INTO note_words (${NOTE_ENTRIES.columns.join(', ')})
          SELECT n.space, w.value ->> 0, w.value ->> 1, n.no, (w.value ->> 2)::bigint, ${ANALYSER}
          FROM (SELECT $1:int AS space, (SELECT no FROM notes WHERE id = $0) AS no, $2 AS words
            FROM ${rows}) AS n CROSS JOIN LATERAL jsonb_array_elements(n.words::jsonb) AS w (value)
          ${REPLACE_ENTRY}`,
    hits: (rows, dialect) => `(SELECT sum(${WORDS_COUNT[dialect]}) FROM ${rows})`,
  }),
  inserted: ({ noteId: id, space, words }) => [id, space, listed(words)],
  personal: { apart: 'repeats notes' },
  under: [NOTES, FORMER_WORDS],
};

/** Days of rent that were charged; a second charge of one day breaks the key of the table. */
export const RENTS = table(
  'memory_rents',
  {
    account: account().key(),
    day: integer().key(),
    bytes: integer(),
    amount: amount(),
    transferId: text(),
  },
  { personal: { apart: 'the rent is in the books' }, use: 'append', after: [TRANSFERS] },
);
