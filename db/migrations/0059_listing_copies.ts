import type { Migration } from '../migration.ts';

/** Which listing another one copies, or whose name it bears (choices registry.copies). */
export const listingCopies: Migration = {
  name: '0059_listing_copies',
  async up(knex, { int, text, strict, strictKeyed }) {
    await knex.raw(`ALTER TABLE listings ADD COLUMN stands_under ${text}`);
    await knex.raw(`ALTER TABLE listings ADD COLUMN stands_by ${text}
      CHECK (stands_by IN ('copy', 'look-alike', 'name'))`);
    await knex.raw(`ALTER TABLE listings ADD COLUMN name_key ${text}`);
    await knex.raw(`
      CREATE TABLE listing_signatures (
        listing_id ${text} PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
        changed_at ${int} NOT NULL,
        signature ${text}
      ) ${strict}`);
    await knex.raw(`
      CREATE TABLE listing_bands (
        band ${text} NOT NULL,
        listing_id ${text} NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
        PRIMARY KEY (band, listing_id)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX listing_bands_listing ON listing_bands (listing_id)');
  },
};

export const listingCopiesIndex: Migration = {
  name: '0059_listing_copies_index',
  indexes: [
    {
      name: 'listings_stands_under',
      sql: 'INDEX listings_stands_under ON listings (stands_under) WHERE stands_under IS NOT NULL',
    },
    {
      name: 'listings_name_key',
      sql: 'INDEX listings_name_key ON listings (name_key, first_seen_at) WHERE name_key IS NOT NULL',
    },
  ],
};
