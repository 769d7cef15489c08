import type { Migration } from '../migration.ts';

/** Ways of earning (choices discovery.runs). `case_progress` has the last transfer read. */
export const cases: Migration = {
  name: '0011_cases',
  async up(knex, { int, text, strict, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE cases (
        id ${text} PRIMARY KEY,
        family ${text} NOT NULL,
        network_kind ${text} NOT NULL CHECK (network_kind IN ('real', 'test', 'play')),
        steps ${text} NOT NULL,
        step_count ${int} NOT NULL CHECK (step_count BETWEEN 1 AND 40),
        cut ${int} NOT NULL CHECK (cut IN (0, 1)),
        times ${int} NOT NULL CHECK (times > 0),
        accounts ${int} NOT NULL CHECK (accounts BETWEEN 1 AND times),
        first_at ${int} NOT NULL,
        last_at ${int} NOT NULL,
        best_net ${int} NOT NULL,
        best ${text} NOT NULL,
        source ${text} NOT NULL
      ) ${strict}`);
    await knex.raw('CREATE INDEX cases_last ON cases (last_at, id)');
    await knex.raw(`
      CREATE TABLE case_accounts (
        case_id ${text} NOT NULL REFERENCES cases (id),
        account ${text} NOT NULL,
        PRIMARY KEY (case_id, account)
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE TABLE case_runs (
        account ${text} PRIMARY KEY,
        ended_at ${int} NOT NULL
      ) ${strict}`);
    await knex.raw(`
      CREATE TABLE case_progress (
        one ${int} PRIMARY KEY CHECK (one = 1),
        read_to ${int} NOT NULL
      ) ${strict}`);
    await knex.raw('INSERT INTO case_progress (one, read_to) VALUES (1, 0)');
  },
};
