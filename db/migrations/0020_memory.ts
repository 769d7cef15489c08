import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * Notes and the rent of what is stored (choices memory.notes). A space counts its changes, and each
 * note has the number of the change that wrote it, so that a process reads only the changes that it
 * lacks. The sums of an account are stored beside the rows, since rent and limits read them often.
 */
export const memory: Migration = {
  name: '0020_memory',
  async up(knex, words) {
    await accounts(knex, words);
    await spaces(knex, words);
    await notes(knex, words);
    await noteWords(knex, words);
  },
};

async function accounts(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE memory_accounts (
      account ${text} PRIMARY KEY,
      spaces ${int} NOT NULL CHECK (spaces >= 0),
      notes ${int} NOT NULL CHECK (notes >= 0),
      note_bytes ${int} NOT NULL CHECK (note_bytes >= 0),
      notes_written ${int} NOT NULL CHECK (notes_written >= 0),
      files ${int} NOT NULL CHECK (files >= 0),
      file_bytes ${int} NOT NULL CHECK (file_bytes >= 0),
      settled_day ${int} NOT NULL,
      paid_day ${int},
      read_only ${int} NOT NULL CHECK (read_only IN (0, 1))
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE INDEX memory_accounts_due ON memory_accounts (settled_day, account)
      WHERE note_bytes + file_bytes > 0`);
  await knex.raw(`
    CREATE TABLE memory_rents (
      account ${text} NOT NULL,
      day ${int} NOT NULL,
      bytes ${int} NOT NULL CHECK (bytes > 0),
      amount ${int} NOT NULL CHECK (amount > 0),
      transfer_id ${text} NOT NULL UNIQUE REFERENCES transfers (id),
      PRIMARY KEY (account, day)
    ) ${strictKeyed}`);
}

async function spaces(
  knex: Knex,
  { int, text, serial, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE memory_spaces (
      no ${serial},
      id ${text} NOT NULL UNIQUE,
      owner ${text} NOT NULL,
      name ${text} NOT NULL,
      kind ${text} NOT NULL CHECK (kind IN ('private', 'shared')),
      notes ${int} NOT NULL CHECK (notes >= 0),
      embedded ${int} NOT NULL CHECK (embedded BETWEEN 0 AND notes),
      words ${int} NOT NULL CHECK (words >= 0),
      bytes ${int} NOT NULL CHECK (bytes >= 0),
      changes ${int} NOT NULL CHECK (changes >= 0),
      created_at ${int} NOT NULL,
      UNIQUE (owner, name)
    ) ${strict}`);
  await knex.raw(`
    CREATE TABLE memory_grants (
      space ${int} NOT NULL REFERENCES memory_spaces (no),
      grantee ${text} NOT NULL,
      can_write ${int} NOT NULL CHECK (can_write IN (0, 1)),
      at ${int} NOT NULL,
      PRIMARY KEY (space, grantee)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX memory_grants_grantee ON memory_grants (grantee, space)');
}

/**
 * `embedding` is the base64 of 768 float32. `words` is the length of a note for BM25. A deletion is
 * a change too: processes that cache the embeddings of a space load it (choices memory.deleting).
 */
async function notes(
  knex: Knex,
  { int, text, serial, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE notes (
      no ${serial},
      id ${text} NOT NULL UNIQUE,
      space ${int} NOT NULL REFERENCES memory_spaces (no),
      author ${text} NOT NULL,
      key ${text},
      content ${text} NOT NULL,
      embedding ${text},
      digest ${text} NOT NULL,
      bytes ${int} NOT NULL CHECK (bytes > 0),
      words ${int} NOT NULL CHECK (words >= 0),
      changed ${int} NOT NULL,
      at ${int} NOT NULL
    ) ${strict}`);
  await knex.raw('CREATE UNIQUE INDEX notes_changed ON notes (space, changed)');
  await knex.raw('CREATE UNIQUE INDEX notes_key ON notes (space, key) WHERE key IS NOT NULL');
  await knex.raw('CREATE UNIQUE INDEX notes_digest ON notes (space, digest)');
  await knex.raw(`
    CREATE TABLE note_versions (
      note ${int} NOT NULL REFERENCES notes (no),
      changed ${int} NOT NULL,
      author ${text} NOT NULL,
      content ${text} NOT NULL,
      at ${int} NOT NULL,
      PRIMARY KEY (note, changed)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE note_deletions (
      space ${int} NOT NULL,
      changed ${int} NOT NULL,
      note ${int} NOT NULL,
      PRIMARY KEY (space, changed)
    ) ${strictKeyed}`);
}

/**
 * An entry names the analyser that made it. A change of the analyser marks each space in
 * `note_reindexing`. A job then analyses notes with a change above `done` and up to `until` again
 * (choices memory.reindexing), and removes old entries that are left; `stem`, `whole` and `note`
 * are the last entry that it passed.
 */
async function noteWords(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE note_words (
      space ${int} NOT NULL,
      stem ${text} NOT NULL,
      whole ${text} NOT NULL,
      note ${int} NOT NULL,
      count ${int} NOT NULL CHECK (count > 0),
      analyser ${int} NOT NULL DEFAULT 0,
      PRIMARY KEY (space, stem, whole, note)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE note_reindexing (
      space ${int} PRIMARY KEY,
      done ${int} NOT NULL,
      until ${int} NOT NULL,
      stem ${text} NOT NULL,
      whole ${text} NOT NULL,
      note ${int} NOT NULL
    ) ${strictKeyed}`);
}
