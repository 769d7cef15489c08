import type { Migration } from '../migration.ts';

/** Who may act, and what was already done: keys, taken nonces, once-only results. */
export const identity: Migration = {
  name: '0002_identity',
  async up(knex, { int, text, strict, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE keys (
        key_id ${text} PRIMARY KEY,
        account ${text} NOT NULL,
        label ${text},
        requested_at ${int} NOT NULL,
        bound_at ${int} NOT NULL,
        bound_by ${text} REFERENCES keys (key_id)
      ) ${strict}`);
    await knex.raw('CREATE INDEX keys_account ON keys (account)');
    await knex.raw(`
      CREATE TABLE key_proposals (
        account ${text} NOT NULL,
        key_id ${text} NOT NULL,
        label ${text},
        proposed_at ${int} NOT NULL,
        PRIMARY KEY (account, key_id)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX key_proposals_at ON key_proposals (proposed_at)');
    await knex.raw(`
      CREATE TABLE nonces (
        key_id ${text} NOT NULL,
        nonce ${text} NOT NULL,
        seen_at ${int} NOT NULL,
        PRIMARY KEY (key_id, nonce)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX nonces_seen ON nonces (seen_at)');
    await knex.raw(`
      CREATE TABLE idempotency (
        account ${text} NOT NULL,
        operation ${text} NOT NULL,
        key ${text} NOT NULL,
        request_digest ${text} NOT NULL,
        transfer_id ${text} REFERENCES transfers (id),
        result ${text},
        at ${int} NOT NULL,
        PRIMARY KEY (account, operation, key)
      ) ${strictKeyed}`);
    await knex.raw('CREATE UNIQUE INDEX idempotency_transfer ON idempotency (transfer_id)');
  },
};
