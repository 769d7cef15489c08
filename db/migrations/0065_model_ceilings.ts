import type { Migration } from '../migration.ts';

/** The most that an account set for what it spends on models in a day (choices models.charging). */
export const modelCeilings: Migration = {
  name: '0065_model_ceilings',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`CREATE TABLE model_ceilings (
      account ${text} PRIMARY KEY,
      per_day ${int} CHECK (per_day >= 0),
      set_by ${text} NOT NULL,
      set_at ${int} NOT NULL,
      revision ${int} NOT NULL
    ) ${strictKeyed}`);
  },
};
