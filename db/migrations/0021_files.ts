import type { Migration } from '../migration.ts';

/**
 * Files. The file store has a content under a name that is never used again, so a sweep cannot
 * delete a content that is stored again. A content is awaited until a file is made of it, loose
 * when no file has it any more, and gone before its bytes are removed.
 */
export const files: Migration = {
  name: '0021_files',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE file_contents (
        object ${text} PRIMARY KEY,
        sha256 ${text} NOT NULL,
        bytes ${int} NOT NULL CHECK (bytes >= 0),
        state ${text} NOT NULL CHECK (state IN ('awaited', 'kept', 'loose', 'gone')),
        touched_at ${int} NOT NULL
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX file_contents_sha256 ON file_contents (sha256)');
    await knex.raw(`
      CREATE INDEX file_contents_swept ON file_contents (touched_at)
        WHERE state <> 'kept'`);
    await knex.raw(`
      CREATE TABLE files (
        owner ${text} NOT NULL,
        key ${text} NOT NULL,
        object ${text} NOT NULL REFERENCES file_contents (object),
        bytes ${int} NOT NULL CHECK (bytes >= 0),
        sha256 ${text} NOT NULL,
        at ${int} NOT NULL,
        PRIMARY KEY (owner, key)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX files_object ON files (object)');
  },
};
