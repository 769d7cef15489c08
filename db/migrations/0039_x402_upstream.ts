import type { Migration } from '../migration.ts';

/**
 * Payments over x402 that the hub makes for its callers (choices router.upstream). A call has one at
 * most. What may have been sent is a row before it is, with the money of the caller held; a row that
 * settled has the transaction of the chain and the transfer that charged, and no other has either.
 * What a day has paid is one row, so that processes share its ceiling.
 */
export const x402Upstream: Migration = {
  name: '0039_x402_upstream',
  async up(knex, { int, text, strict, strictKeyed }) {
    await knex.raw(`
    CREATE TABLE x402_upstream (
      id ${text} PRIMARY KEY,
      call_id ${text} NOT NULL UNIQUE REFERENCES calls (id),
      network ${text} NOT NULL REFERENCES networks (id),
      account ${text} NOT NULL,
      token ${text} NOT NULL,
      version ${int} NOT NULL CHECK (version IN (1, 2)),
      payer ${text} NOT NULL,
      pay_to ${text} NOT NULL,
      amount ${int} NOT NULL CHECK (amount > 0),
      valid_after ${text} NOT NULL,
      valid_before ${text} NOT NULL,
      nonce ${text} NOT NULL,
      signature ${text} NOT NULL,
      from_block ${int} NOT NULL CHECK (from_block >= 0),
      commitment ${text} NOT NULL UNIQUE REFERENCES commitments (id),
      day ${int} NOT NULL,
      state ${text} NOT NULL CHECK (state IN ('open', 'settled', 'returned')),
      at ${int} NOT NULL,
      check_at ${int},
      ended_at ${int},
      transaction_hash ${text},
      transfer_id ${text} UNIQUE REFERENCES transfers (id),
      UNIQUE (network, token, payer, nonce),
      CHECK ((state = 'open') = (ended_at IS NULL)),
      CHECK ((state = 'open') = (check_at IS NOT NULL)),
      CHECK ((state = 'settled') = (transfer_id IS NOT NULL)),
      CHECK ((state = 'settled') = (transaction_hash IS NOT NULL))
    ) ${strict}`);
    await knex.raw(`
    CREATE INDEX x402_upstream_due ON x402_upstream (check_at) WHERE check_at IS NOT NULL`);
    await knex.raw(`
    CREATE TABLE x402_upstream_days (
      network ${text} NOT NULL REFERENCES networks (id),
      day ${int} NOT NULL,
      amount ${int} NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (network, day)
    ) ${strictKeyed}`);
  },
};
