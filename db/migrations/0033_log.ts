import type { Migration } from '../migration.ts';

/**
 * The transparency log (choices log.sequence). A leaf has one place and a digest is one leaf, so a
 * receipt cannot be logged twice. A cosignature belongs to a checkpoint that was signed.
 */
export const log: Migration = {
  name: '0033_log',
  async up(knex, { int, text, strict, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE log_state (
        one ${int} PRIMARY KEY CHECK (one = 1),
        origin ${text} NOT NULL,
        size ${int} NOT NULL CHECK (size >= 0),
        read_to ${int} NOT NULL
      ) ${strict}`);
    await knex.raw(`
      CREATE TABLE log_leaves (
        place ${int} PRIMARY KEY CHECK (place >= 0),
        digest ${text} NOT NULL UNIQUE,
        kind ${text} NOT NULL CHECK (kind IN ('call', 'model', 'payout', 'ruling'))
      ) ${strict}`);
    await knex.raw(`
      CREATE TABLE log_tiles (
        level ${int} NOT NULL,
        tile ${int} NOT NULL,
        hashes ${text} NOT NULL,
        PRIMARY KEY (level, tile)
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE TABLE log_checkpoints (
        size ${int} PRIMARY KEY CHECK (size >= 0),
        note ${text} NOT NULL,
        digest ${text} NOT NULL,
        issued_at ${int} NOT NULL,
        stamped_in ${int} NOT NULL
      ) ${strict}`);
    await knex.raw(`
      CREATE TABLE log_cosignatures (
        size ${int} NOT NULL REFERENCES log_checkpoints (size),
        witness ${text} NOT NULL,
        line ${text} NOT NULL,
        at ${int} NOT NULL,
        PRIMARY KEY (size, witness)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX log_cosignatures_witness ON log_cosignatures (witness, size)');
    for (const table of ['calls', 'model_calls']) {
      await knex.raw(`ALTER TABLE ${table} ADD COLUMN logged ${int} NOT NULL DEFAULT 0`);
    }
  },
};

/** The receipts that wait for their leaf, of which there are few. */
export const logQueue: Migration = {
  name: '0033_log_queue',
  indexes: ['calls', 'model_calls'].map((table) => ({
    name: `${table}_unlogged`,
    sql: `INDEX ${table}_unlogged ON ${table} (id) WHERE logged = 0 AND outcome <> 'running'`,
  })),
};
