import type { Migration } from '../migration.ts';

/**
 * Measures of judges and of karma (choices validators.measures, karma.figures). What is measured is
 * computed from other rows; `planted_answers` alone is new, and no public read opens it.
 */
export const measures: Migration = {
  name: '0034_measures',
  async up(knex, { int, text, strict, strictKeyed }) {
    await knex.raw(`ALTER TABLE panel_seats ADD COLUMN confidence_bps ${int}`);
    await knex.raw(`ALTER TABLE seats ADD COLUMN measure_at ${int}`);
    await knex.raw(`ALTER TABLE tasks ADD COLUMN min_reliability_bps ${int}`);
    await knex.raw(`
      CREATE TABLE planted_answers (
        attempt_id ${text} PRIMARY KEY REFERENCES attempts (id),
        answer ${text} NOT NULL CHECK (answer IN ('accepted', 'rejected')),
        at ${int} NOT NULL
      ) ${strict}`);
    await knex.raw(`
      CREATE TABLE judge_records (
        account ${text} PRIMARY KEY REFERENCES seats (account),
        network ${text} NOT NULL,
        seat_id ${text} NOT NULL UNIQUE,
        reliability_bps ${int} CHECK (reliability_bps BETWEEN 0 AND 10000),
        figures ${text} NOT NULL,
        at ${int} NOT NULL
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE INDEX judge_records_order ON judge_records (network, reliability_bps DESC, seat_id DESC)
        WHERE reliability_bps IS NOT NULL`);
    // Points are thousandths; what is settled is of gains whose window is over.
    await knex.raw(`
      CREATE TABLE karma_figures (
        subject ${text} PRIMARY KEY,
        recorded ${int} NOT NULL,
        discounted ${int} NOT NULL CHECK (discounted <= recorded),
        unmeasured ${int} NOT NULL,
        losses ${text} NOT NULL,
        settled ${text} NOT NULL,
        settled_until ${int} NOT NULL,
        at ${int} NOT NULL
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE TABLE karma_sweep (
        id ${int} PRIMARY KEY CHECK (id = 1),
        after ${text} NOT NULL
      ) ${strictKeyed}`);
    await knex.raw(`INSERT INTO karma_sweep (id, after) VALUES (1, '')`);
  },
};
