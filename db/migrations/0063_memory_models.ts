import type { Migration } from '../migration.ts';

/**
 * Spaces whose vectors a model of the desk makes, facts and ends of notes (choices memory.models,
 * memory.metadata), and the change of a space up to which its readers have events.
 */
export const memoryModels: Migration = {
  name: '0063_memory_models',
  async up(knex, { int, text }) {
    await knex.raw(`ALTER TABLE memory_spaces ADD COLUMN model ${text}`);
    await knex.raw(`ALTER TABLE memory_spaces ADD COLUMN dimensions ${int} NOT NULL DEFAULT 768`);
    await knex.raw(`ALTER TABLE memory_spaces ADD COLUMN announced ${int} NOT NULL DEFAULT 0`);
    await knex.raw(`ALTER TABLE notes ADD COLUMN metadata ${text}`);
    await knex.raw(`ALTER TABLE notes ADD COLUMN expires_at ${int}`);
  },
};

export const memoryModelsAnnounced: Migration = {
  name: '0063_memory_models_announced',
  rows: {
    table: 'memory_spaces',
    where: 'announced = 0 AND changes > 0',
    set: 'announced = changes',
  },
};

export const memoryModelsIndexes: Migration = {
  name: '0063_memory_models_indexes',
  indexes: [
    {
      name: 'notes_expiring',
      sql: 'INDEX notes_expiring ON notes (expires_at) WHERE expires_at IS NOT NULL',
    },
    {
      name: 'memory_spaces_unannounced',
      sql: `INDEX memory_spaces_unannounced ON memory_spaces (no)
        WHERE kind = 'shared' AND changes > announced`,
    },
  ],
};
