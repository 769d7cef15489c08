import type { Migration } from '../migration.ts';

/** The model that answered a call in place of the one that was asked for. */
export const servedModel: Migration = {
  name: '0069_served_model',
  async up(knex, { text }) {
    await knex.raw(`ALTER TABLE model_calls ADD COLUMN served_model ${text}`);
  },
};
