import type { Migration } from '../migration.ts';

/**
 * Calls of the model desk that a paid service makes for its caller, and what the hub bears of them
 * in a day (choices services.rewriting).
 */
export const desk: Migration = {
  name: '0049_desk',
  async up(knex, words) {
    const { int, text, strictKeyed } = words;
    await knex.raw(`ALTER TABLE model_calls ADD COLUMN service ${text}`);
    await knex.raw(
      `ALTER TABLE model_calls ADD COLUMN borne ${int} NOT NULL DEFAULT 0 CHECK (borne >= 0)`,
    );
    // What may still be borne counts as borne, so calls at once cannot pass a quota together.
    await knex.raw(`
      CREATE TABLE model_borne (
        day ${int} NOT NULL,
        payer ${text} NOT NULL,
        network ${text} NOT NULL REFERENCES networks (id),
        amount ${int} NOT NULL CHECK (amount >= 0),
        PRIMARY KEY (day, payer, network)
      ) ${strictKeyed}`);
  },
};
