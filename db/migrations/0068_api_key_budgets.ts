import type { Migration } from '../migration.ts';

/** Budgets of API keys: the policy of a key, what it used, and which calls count against it. */
export const apiKeyBudgets: Migration = {
  name: '0068_api_key_budgets',
  async up(knex, { int, text }) {
    await knex.raw(`ALTER TABLE api_keys ADD COLUMN policy ${text}`);
    await knex.raw(`ALTER TABLE model_calls ADD COLUMN budget ${text}`);
    await knex.raw(`CREATE TABLE api_key_budgets (
      id ${text} PRIMARY KEY REFERENCES api_keys (id),
      spent_at ${int} NOT NULL,
      hour_used ${int} NOT NULL CHECK (hour_used >= 0),
      day_used ${int} NOT NULL CHECK (day_used >= 0),
      month_used ${int} NOT NULL CHECK (month_used >= 0),
      revision ${int} NOT NULL
    )`);
  },
};
