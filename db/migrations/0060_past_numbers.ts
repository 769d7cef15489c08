import type { Migration } from '../migration.ts';

/**
 * What numbers of the past are counted from (choices predictions.checks): the events of tasks by
 * time, and every change of how many listings there are, are live and quote a price over x402. The
 * samples of 0017 are written no more.
 */
export const pastNumbers: Migration = {
  name: '0060_past_numbers',
  async up(knex, { int, serial, strict }) {
    await knex.raw('CREATE INDEX task_events_at ON task_events (at)');
    await knex.raw(`
      CREATE TABLE listing_counts (
        id ${serial},
        at ${int} NOT NULL,
        listed ${int} NOT NULL,
        live ${int} NOT NULL,
        x402 ${int} NOT NULL
      ) ${strict}`);
    await knex.raw('CREATE INDEX listing_counts_at ON listing_counts (at)');
    // Few accounts among many, as those outside: what the house has is no money of users.
    await knex.raw(`CREATE INDEX accounts_house ON accounts (network, asset) WHERE class = 'hub'`);
  },
};
