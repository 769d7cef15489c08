import type { Migration } from '../migration.ts';

/** Tokens of a prompt that a provider had in its cache and that cost less (choices models.caching). */
export const cachedTokens: Migration = {
  name: '0066_cached_tokens',
  async up(knex, { int }) {
    await knex.raw(`ALTER TABLE model_calls ADD COLUMN cached_tokens ${int}`);
  },
};
