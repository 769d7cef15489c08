import type { Migration } from '../migration.ts';

/** Columns and indexes by which tables and markets are searched (choices games.search). */
export const bookSearch: Migration = {
  name: '0061_book_search',
  async up(knex, { int }) {
    await knex.raw(`ALTER TABLE poker_tables ADD COLUMN stake ${int}`);
    await knex.raw(`ALTER TABLE poker_tables ADD COLUMN seats ${int}`);
  },
};

/** Columns from the members of a table's terms, which each database reads in its own words. */
const TERMS_OF = (read: (path: string) => string): string =>
  `seats = CAST(${read('seats')} AS BIGINT),
   stake = CAST(COALESCE(${read('buyIn')}, ${read('blinds,bigBlind')}) AS BIGINT)`;

export const bookSearchRows: Migration = {
  name: '0061_book_search_rows',
  rows: {
    table: 'poker_tables',
    where: 'seats IS NULL',
    set: {
      sqlite: TERMS_OF((path) => `body ->> '$.${path.replace(',', '.')}'`),
      postgres: TERMS_OF((path) => `body::jsonb #>> '{${path}}'`),
    },
  },
};

export const bookSearchIndex: Migration = {
  name: '0061_book_search_index',
  indexes: [{ name: 'markets_network', sql: 'INDEX markets_network ON markets (network, id)' }],
};
