import type { Migration } from '../migration.ts';

/** Files that briefs and results name, and the pins that hold their contents (tasks.files). */
export const taskFiles: Migration = {
  name: '0047_task_files',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`ALTER TABLE tasks ADD COLUMN files ${text}`);
    await knex.raw(`ALTER TABLE attempts ADD COLUMN files ${text}`);
    await knex.raw(`
      CREATE TABLE task_files (
        task_id ${text} NOT NULL,
        owner ${text} NOT NULL,
        sha256 ${text} NOT NULL,
        object ${text} NOT NULL REFERENCES file_contents (object),
        bytes ${int} NOT NULL CHECK (bytes >= 0),
        pinned_at ${int} NOT NULL,
        PRIMARY KEY (task_id, owner, sha256)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX task_files_owner ON task_files (owner, object)');
    await knex.raw('CREATE INDEX task_files_object ON task_files (object)');
  },
};
