import type { Migration } from '../migration.ts';

/**
 * What happened to each account beside its money, which its ledger tells (choices wallet.following).
 * An account's events are numbered from 1 without gaps under the lock of its head, so they become
 * readable in the order of their numbers.
 */
export const events: Migration = {
  name: '0032_events',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE account_event_heads (
        account ${text} PRIMARY KEY,
        seq ${int} NOT NULL CHECK (seq > 0)
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE TABLE account_events (
        account ${text} NOT NULL REFERENCES account_event_heads (account),
        seq ${int} NOT NULL CHECK (seq > 0),
        at ${int} NOT NULL,
        kind ${text} NOT NULL,
        task_id ${text} NOT NULL,
        attempt_id ${text},
        ref ${text},
        state ${text},
        actor ${text},
        PRIMARY KEY (account, seq)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX account_events_at ON account_events (at)');
  },
};
