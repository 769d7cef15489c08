import type { Migration } from '../migration.ts';

/** Karma (choices karma.entries). UNIQUE holds that an occasion gives karma once in a race. */
export const karma: Migration = {
  name: '0004_karma',
  async up(knex, { int, text, strict }) {
    await knex.raw(`
      CREATE TABLE karma_entries (
        id ${text} PRIMARY KEY,
        subject ${text} NOT NULL,
        at ${int} NOT NULL,
        delta ${int} NOT NULL,
        full_delta ${int} NOT NULL CHECK (full_delta <> 0),
        lowered_by ${text},
        reason ${text} NOT NULL,
        ref_kind ${text} NOT NULL,
        ref_id ${text} NOT NULL,
        occasion ${text} NOT NULL,
        counterparty ${text},
        money ${text} NOT NULL CHECK (money IN ('real', 'test', 'none')),
        listing_id ${text},
        UNIQUE (subject, reason, occasion),
        CHECK ((lowered_by IS NULL) = (delta = full_delta))
      ) ${strict}`);
    await knex.raw('CREATE INDEX karma_entries_subject ON karma_entries (subject, id)');
    await knex.raw(`
      CREATE INDEX karma_entries_gains ON karma_entries (subject, at)
        WHERE full_delta > 0`);
    await knex.raw(`
      CREATE INDEX karma_entries_party ON karma_entries (subject, counterparty, at)
        WHERE full_delta > 0`);
    await knex.raw(`
      CREATE INDEX karma_entries_ignored ON karma_entries (subject, at)
        WHERE reason = 'delivery.ignored'`);
    await knex.raw(`
      CREATE TABLE karma_totals (
        subject ${text} PRIMARY KEY,
        total ${int} NOT NULL,
        from_test ${int} NOT NULL CHECK (from_test <= 20)
      ) ${strict}`);
  },
};
