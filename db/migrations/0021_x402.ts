import type { Migration } from '../migration.ts';

/**
 * Payments that come in over x402 (choices router.x402). One authorization of a
 * wallet is one row for ever once it settled, so it can credit nobody twice; a row that settled has
 * the transaction of the chain and the transfer of the ledger, and no other has either.
 */
export const x402: Migration = {
  name: '0021_x402',
  async up(knex, { int, text, strict }) {
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
      UNIQUE (network, token, payer, nonce),
      CHECK ((state IN ('reserved', 'settling')) = (ended_at IS NULL)),
      CHECK ((state IN ('reserved', 'settling')) = (check_at IS NOT NULL)),
      CHECK ((state = 'settled') = (transfer_id IS NOT NULL)),
      CHECK ((state = 'settled') = (transaction_hash IS NOT NULL)),
      CHECK ((state = 'refused') = (fault IS NOT NULL))
    ) ${strict}`);
    await knex.raw(`
    CREATE INDEX x402_payments_due ON x402_payments (check_at) WHERE check_at IS NOT NULL`);
    await knex.raw(`
    CREATE INDEX x402_payments_refused ON x402_payments (ended_at) WHERE state = 'refused'`);
    await knex.raw('CREATE INDEX x402_payments_account ON x402_payments (account, network, id)');
  },
};
