import type { Migration } from '../migration.ts';

/**
 * Passports (choices passport.domains). The primary key of `passport_domains` gives a domain one
 * holder. `domain_firsts` gives karma once for all names of one operator.
 */
export const passport: Migration = {
  name: '0019_passport',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE passports (
        key_id ${text} PRIMARY KEY REFERENCES keys (key_id),
        display_name ${text},
        bio ${text},
        created_at ${int} NOT NULL
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE TABLE passport_domains (
        domain ${text} PRIMARY KEY,
        key_id ${text} NOT NULL REFERENCES passports (key_id),
        origin ${text} NOT NULL,
        method ${text} NOT NULL CHECK (method IN ('dns', 'well-known')),
        proved_at ${int} NOT NULL,
        last_confirmed_at ${int} NOT NULL,
        next_check_at ${int} NOT NULL,
        missing_since ${int}
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX passport_domains_key ON passport_domains (key_id, domain)');
    await knex.raw('CREATE INDEX passport_domains_due ON passport_domains (next_check_at)');
    await knex.raw(`
      CREATE TABLE domain_firsts (
        operator_id ${text} PRIMARY KEY,
        domain ${text} NOT NULL,
        at ${int} NOT NULL
      ) ${strictKeyed}`);
  },
};
