import type { Migration } from '../migration.ts';

/** Answers of paid calls that cost nothing, and the record that says which (choices router.refunds). */
export const refunds: Migration = {
  name: '0036_refunds',
  async up(knex, { text }) {
    await knex.raw(`
      ALTER TABLE listings ADD COLUMN refunds ${text} NOT NULL DEFAULT 'output-schema'
        CHECK (refunds IN ('none', 'output-schema', 'acceptance'))`);
    await knex.raw(`ALTER TABLE listing_skills ADD COLUMN output_schema ${text}`);
    await knex.raw(`ALTER TABLE calls ADD COLUMN accept_hash ${text}`);
    await knex.raw(`ALTER TABLE calls ADD COLUMN unmet ${text}`);
  },
};
