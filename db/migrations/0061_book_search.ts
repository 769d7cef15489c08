import type { Migration } from '../migration.ts';

/** Columns and indexes by which tables and markets are searched (choices games.search). */
export const bookSearch: Migration = {
  name: '0061_book_search',
  async up(knex, { dialect, int }) {
    await knex.raw(`ALTER TABLE poker_tables ADD COLUMN stake ${int}`);
    await knex.raw(`ALTER TABLE poker_tables ADD COLUMN seats ${int}`);
    // The same path in the words of each database.
    const [seats, buyIn, bigBlind] =
      dialect === 'sqlite'
        ? ["body ->> '$.seats'", "body ->> '$.buyIn'", "body ->> '$.blinds.bigBlind'"]
        : ['seats', 'buyIn', 'blinds,bigBlind'].map((path) => `body::jsonb #>> '{${path}}'`);
    await knex.raw(`
      UPDATE poker_tables SET seats = CAST(${seats} AS ${int}),
        stake = CAST(COALESCE(${buyIn}, ${bigBlind}) AS ${int})`);
  },
};

export const bookSearchIndex: Migration = {
  name: '0061_book_search_index',
  indexes: [{ name: 'markets_network', sql: 'INDEX markets_network ON markets (network, id)' }],
};
