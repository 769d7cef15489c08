import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * Money on a chain (choices rails.deposits, rails.withdrawals). Each nonce of a wallet has one row,
 * and signed bytes are stored before they are sent. A transfer has one row, by transaction and log
 * index.
 */
export const rails: Migration = {
  name: '0024_rails',
  async up(knex, words) {
    await transactions(knex, words);
    await watching(knex, words);
    await deposits(knex, words);
    await withdrawals(knex, words);
  },
};

/** `token` is the term of a lease (choices rails.leases). */
async function transactions(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE chain_transactions (
      id ${text} PRIMARY KEY,
      network ${text} NOT NULL REFERENCES networks (id),
      purpose ${text} NOT NULL,
      ref_id ${text} NOT NULL,
      to_address ${text} NOT NULL,
      data ${text} NOT NULL,
      state ${text} NOT NULL CHECK (state IN
        ('queued', 'dropped', 'signed', 'broadcast', 'confirmed', 'reverted', 'replaced')),
      sender ${text},
      nonce ${int} CHECK (nonce >= 0),
      final ${int} NOT NULL CHECK (final IN (0, 1)),
      needs ${int} NOT NULL CHECK (needs >= 0),
      tries ${int} NOT NULL,
      tries_max ${int} NOT NULL CHECK (tries_max > 0),
      next_try_at ${int} NOT NULL,
      cancel_asked ${int} NOT NULL CHECK (cancel_asked IN (0, 1)),
      mined_hash ${text},
      mined_block ${int},
      replaced_by ${text},
      note ${text},
      created_at ${int} NOT NULL,
      updated_at ${int} NOT NULL,
      UNIQUE (network, sender, nonce),
      CHECK ((nonce IS NULL) = (sender IS NULL)),
      CHECK ((nonce IS NULL) = (state IN ('queued', 'dropped'))),
      CHECK ((state IN ('confirmed', 'reverted')) <= (mined_hash IS NOT NULL))
    ) ${strict}`);
  await knex.raw(`
    CREATE INDEX chain_transactions_open ON chain_transactions (network, nonce)
      WHERE final = 0`);
  await knex.raw('CREATE INDEX chain_transactions_ref ON chain_transactions (ref_id)');
  await knex.raw(`
    CREATE TABLE chain_attempts (
      transaction_id ${text} NOT NULL REFERENCES chain_transactions (id),
      attempt ${int} NOT NULL CHECK (attempt > 0),
      kind ${text} NOT NULL CHECK (kind IN ('call', 'cancel')),
      hash ${text} NOT NULL UNIQUE,
      raw ${text} NOT NULL,
      gas ${text} NOT NULL,
      max_fee ${text} NOT NULL,
      priority_fee ${text} NOT NULL,
      signed_at ${int} NOT NULL,
      PRIMARY KEY (transaction_id, attempt)
    ) ${strict}`);
  await knex.raw(`
    CREATE TABLE chain_leases (
      name ${text} PRIMARY KEY,
      holder ${text} NOT NULL,
      until_at ${int} NOT NULL,
      token ${int} NOT NULL DEFAULT 0
    ) ${strict}`);
}

/** This database counts transfers from the block `first_height` on (choices rails.addresses). */
async function watching(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE chain_cursors (
      network ${text} PRIMARY KEY REFERENCES networks (id),
      height ${int} NOT NULL CHECK (height >= 0),
      hash ${text} NOT NULL,
      settled ${int} NOT NULL CHECK (settled >= 0 AND settled <= height),
      head ${int} NOT NULL,
      finalized ${int} NOT NULL,
      answered_at ${int} NOT NULL,
      first_height ${int} NOT NULL DEFAULT 0
    ) ${strict}`);
  await knex.raw(`
    CREATE TABLE chain_blocks (
      network ${text} NOT NULL,
      height ${int} NOT NULL,
      hash ${text} NOT NULL,
      PRIMARY KEY (network, height)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE chain_backing (
      network ${text} PRIMARY KEY REFERENCES networks (id),
      owed ${int} NOT NULL,
      found ${int} NOT NULL,
      backed ${int} NOT NULL CHECK (backed IN (0, 1)),
      checked_at ${int} NOT NULL
    ) ${strict}`);
}

/** `path` is an address's branch, `missing_since` when a credited deposit left the chain. */
async function deposits(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE deposit_addresses (
      network ${text} NOT NULL REFERENCES networks (id),
      account ${text} NOT NULL,
      place ${int} NOT NULL CHECK (place >= 0),
      address ${text} NOT NULL,
      created_at ${int} NOT NULL,
      path ${text},
      PRIMARY KEY (network, account),
      UNIQUE (network, place),
      UNIQUE (network, address)
    ) ${strict}`);
  await knex.raw(`
    CREATE TABLE chain_deposits (
      id ${text} PRIMARY KEY,
      network ${text} NOT NULL REFERENCES networks (id),
      account ${text} NOT NULL,
      address ${text} NOT NULL,
      sender ${text} NOT NULL,
      tx_hash ${text} NOT NULL,
      log_index ${int} NOT NULL CHECK (log_index >= 0),
      height ${int} NOT NULL,
      block_hash ${text} NOT NULL,
      amount ${int} NOT NULL CHECK (amount > 0),
      state ${text} NOT NULL CHECK (state IN
        ('seen', 'credited', 'orphaned', 'reversed')),
      final ${int} NOT NULL CHECK (final IN (0, 1)),
      transfer_id ${text} UNIQUE REFERENCES transfers (id),
      reversal_id ${text} UNIQUE REFERENCES transfers (id),
      shortfall ${int} NOT NULL CHECK (shortfall BETWEEN 0 AND amount),
      seen_at ${int} NOT NULL,
      updated_at ${int} NOT NULL,
      missing_since ${int},
      UNIQUE (network, tx_hash, log_index),
      CHECK ((state IN ('credited', 'reversed')) = (transfer_id IS NOT NULL)),
      CHECK (reversal_id IS NULL OR state = 'reversed')
    ) ${strict}`);
  await knex.raw('CREATE INDEX chain_deposits_of ON chain_deposits (account, network, id)');
  await knex.raw(`
    CREATE INDEX chain_deposits_open ON chain_deposits (network, height)
      WHERE final = 0`);
  await knex.raw(`
    CREATE INDEX chain_deposits_missing ON chain_deposits (account, network)
      WHERE missing_since IS NOT NULL`);
}

async function withdrawals(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE withdrawals (
      id ${text} PRIMARY KEY,
      network ${text} NOT NULL REFERENCES networks (id),
      account ${text} NOT NULL,
      address ${text} NOT NULL,
      amount ${int} NOT NULL CHECK (amount > 0),
      fee ${int} NOT NULL CHECK (fee BETWEEN 0 AND amount - 1),
      state ${text} NOT NULL CHECK (state IN ('pending', 'confirmed', 'failed', 'recalled')),
      waits_for_operator ${int} NOT NULL CHECK (waits_for_operator IN (0, 1)),
      commitment ${text} NOT NULL UNIQUE REFERENCES commitments (id),
      transaction_id ${text} UNIQUE REFERENCES chain_transactions (id),
      transfer_id ${text} UNIQUE REFERENCES transfers (id),
      tx_hash ${text},
      failure_proof ${text} CHECK (failure_proof IN ('never-signed', 'reverted', 'nonce-spent')),
      failure_reason ${text},
      requested_at ${int} NOT NULL,
      updated_at ${int} NOT NULL,
      CHECK ((state = 'failed') = (failure_proof IS NOT NULL)),
      CHECK ((state = 'pending') = (transfer_id IS NULL)),
      CHECK (waits_for_operator = 0 OR transaction_id IS NULL)
    ) ${strict}`);
  await knex.raw('CREATE INDEX withdrawals_of ON withdrawals (account, network, id)');
  await knex.raw(`
    CREATE INDEX withdrawals_pending ON withdrawals (network, id)
      WHERE state = 'pending'`);
  await knex.raw(`
    CREATE TABLE payout_addresses (
      network ${text} NOT NULL REFERENCES networks (id),
      account ${text} NOT NULL,
      address ${text} NOT NULL,
      previous ${text},
      set_at ${int} NOT NULL,
      changed_at ${int},
      PRIMARY KEY (network, account)
    ) ${strict}`);
  await knex.raw('CREATE INDEX payout_addresses_at ON payout_addresses (address)');
}
