import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/** Payments over x402. Settled rows alone have a transaction of the chain and a ledger transfer. */
export const x402: Migration = {
  name: '0016_x402',
  async up(knex, words) {
    await incoming(knex, words);
    await upstream(knex, words);
  },
};

/**
 * Payments to the hub (choices router.x402). A settled authorization has one row, so it credits an
 * account once. A payment from the balance of its wallet is not sent.
 */
async function incoming(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE x402_payments (
      id ${text} PRIMARY KEY,
      network ${text} NOT NULL REFERENCES networks (id),
      token ${text} NOT NULL,
      payer ${text} NOT NULL,
      nonce ${text} NOT NULL,
      version ${int} NOT NULL CHECK (version IN (1, 2)),
      pay_to ${text} NOT NULL,
      amount ${int} NOT NULL CHECK (amount > 0),
      valid_after ${text} NOT NULL,
      valid_before ${text} NOT NULL,
      signature ${text} NOT NULL,
      account ${text} NOT NULL,
      operation ${text} NOT NULL,
      request_digest ${text},
      from_block ${int} NOT NULL CHECK (from_block >= 0),
      state ${text} NOT NULL CHECK (state IN ('reserved', 'settling', 'settled', 'refused')),
      fault ${text},
      at ${int} NOT NULL,
      check_at ${int},
      ended_at ${int},
      transaction_hash ${text},
      transfer_id ${text} UNIQUE REFERENCES transfers (id),
      from_balance ${int} NOT NULL DEFAULT 0,
      UNIQUE (network, token, payer, nonce),
      CHECK ((state IN ('reserved', 'settling')) = (ended_at IS NULL)),
      CHECK ((state IN ('reserved', 'settling')) = (check_at IS NOT NULL)),
      CHECK ((state = 'settled') = (transfer_id IS NOT NULL)),
      CHECK ((state = 'settled') = (transaction_hash IS NOT NULL)),
      CHECK ((state = 'refused') = (fault IS NOT NULL))
    ) ${strict}`);
  await knex.raw(`
    CREATE INDEX x402_payments_due ON x402_payments (check_at)
      WHERE check_at IS NOT NULL`);
  await knex.raw(`
    CREATE INDEX x402_payments_refused ON x402_payments (ended_at)
      WHERE state = 'refused'`);
  await knex.raw('CREATE INDEX x402_payments_account ON x402_payments (account, network, id)');
}

/**
 * Payments that the hub makes for a call (choices router.upstream), at most one for each. The row
 * is written, with the money of the caller held, before the payment is sent. `x402_upstream_days`
 * has the sum of a day, so that all processes share its ceiling.
 */
async function upstream(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
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
    CREATE INDEX x402_upstream_due ON x402_upstream (check_at)
      WHERE check_at IS NOT NULL`);
  await knex.raw(`
    CREATE TABLE x402_upstream_days (
      network ${text} NOT NULL REFERENCES networks (id),
      day ${int} NOT NULL,
      amount ${int} NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (network, day)
    ) ${strictKeyed}`);
}
