import type { Migration } from '../migration.ts';

/**
 * No claim token rests in clear (choices tasks.leases): its hash was there beside it. The column now
 * names the key that a token is worked out from; live ones of before have none, and their holders
 * are told another when they claim again.
 */
export const claimTokens: Migration = {
  name: '0030_claim_tokens',
  async up(knex) {
    await knex.raw('ALTER TABLE attempts RENAME COLUMN claim_token TO token_key');
    await knex.raw(`UPDATE attempts SET token_key = '' WHERE token_key IS NOT NULL`);
  },
};
