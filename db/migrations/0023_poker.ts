import type { Migration } from '../migration.ts';

/**
 * Hold'em tables (choices poker.tables). A table is one row with its state, written with the
 * events, hands and seats of a change. `money` is what the ledger must have for the table.
 */
export const poker: Migration = {
  name: '0023_poker',
  async up(knex, { int, text, strict, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE poker_tables (
        id ${text} PRIMARY KEY,
        network ${text} NOT NULL REFERENCES networks (id),
        creator ${text} NOT NULL,
        format ${text} NOT NULL CHECK (format IN ('cash', 'sng')),
        state ${text} NOT NULL CHECK (state IN ('open', 'running', 'finished')),
        money ${int} NOT NULL CHECK (money >= 0),
        players ${int} NOT NULL CHECK (players BETWEEN 0 AND 9),
        due_at ${int},
        body ${text} NOT NULL,
        CHECK (state <> 'finished' OR money = 0)
      ) ${strict}`);
    await knex.raw('CREATE INDEX poker_tables_state ON poker_tables (state, id)');
    await knex.raw('CREATE INDEX poker_tables_creator ON poker_tables (creator, state)');
    await knex.raw(`
      CREATE INDEX poker_tables_due ON poker_tables (due_at)
        WHERE due_at IS NOT NULL`);
    await knex.raw(`
      CREATE TABLE poker_events (
        table_id ${text} NOT NULL REFERENCES poker_tables (id),
        seq ${int} NOT NULL CHECK (seq > 0),
        body ${text} NOT NULL,
        PRIMARY KEY (table_id, seq)
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE TABLE poker_hands (
        table_id ${text} NOT NULL REFERENCES poker_tables (id),
        n ${int} NOT NULL CHECK (n > 0),
        ended_at ${int} NOT NULL,
        body ${text} NOT NULL,
        PRIMARY KEY (table_id, n)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX poker_hands_ended ON poker_hands (ended_at)');
    await knex.raw(`
      CREATE TABLE poker_seats (
        account ${text} NOT NULL,
        table_id ${text} NOT NULL REFERENCES poker_tables (id),
        seat ${int} NOT NULL CHECK (seat BETWEEN 1 AND 9),
        state ${text} NOT NULL,
        bought_in ${int} NOT NULL CHECK (bought_in >= 0),
        cashed_out ${int} NOT NULL CHECK (cashed_out >= 0),
        place ${int},
        sat_at ${int} NOT NULL,
        left_at ${int},
        left_stack ${int},
        PRIMARY KEY (account, table_id)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX poker_seats_table ON poker_seats (table_id)');
  },
};
