import type { Knex } from 'knex';
import type { Dialect } from '../connection.ts';
import type { DialectTypes, Migration } from '../migration.ts';

/** Keys and what accounts did: nonces, idempotency records, links and events. */
export const wallet: Migration = {
  name: '0002_wallet',
  async up(knex, words) {
    await keys(knex, words);
    await requests(knex, words);
    await links(knex, words);
    await events(knex, words);
    await apiKeys(knex, words);
  },
};

/**
 * A key joins another account after both have signed (threats.key-hijack): a proposal records who
 * signed and when. `key_homes` records where a key acts; a key without a row may still join.
 */
async function keys(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
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
      account_signed_by ${text},
      account_signed_at ${int},
      key_signed_at ${int},
      PRIMARY KEY (account, key_id)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX key_proposals_at ON key_proposals (proposed_at)');
  await knex.raw('CREATE INDEX key_proposals_key ON key_proposals (key_id)');
  await knex.raw(`
    CREATE TABLE key_homes (
      key_id ${text} PRIMARY KEY,
      account ${text} NOT NULL,
      settled_at ${int} NOT NULL
    ) ${strictKeyed}`);
}

async function requests(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
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
}

/** Accounts with the same `shared` text are one party; both consented (choices tasks.linked). */
async function links(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE account_links (
      account ${text} NOT NULL,
      shared ${text} NOT NULL,
      at ${int} NOT NULL,
      PRIMARY KEY (account, shared)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX account_links_shared ON account_links (shared, account)');
}

/**
 * Events other than money (choices wallet.following). An account's events are numbered from 1
 * without gaps under the lock of its head, so they become readable in that order.
 */
async function events(
  knex: Knex,
  { dialect, int, text, strictKeyed }: DialectTypes,
): Promise<void> {
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
      subject_id ${text} NOT NULL,
      attempt_id ${text},
      ref ${text},
      state ${text},
      actor ${text},
      PRIMARY KEY (account, seq)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX account_events_at ON account_events (at)');
  await trimEvents(knex, dialect);
}

/** Keys of the compatible endpoint `/v1` (choices wallet.api-keys). */
async function apiKeys(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE api_keys (
      id ${text} PRIMARY KEY,
      account ${text} NOT NULL,
      digest ${text} NOT NULL UNIQUE,
      hint ${text} NOT NULL,
      label ${text},
      created_at ${int} NOT NULL,
      revoked_at ${int}
    ) ${strict}`);
  await knex.raw('CREATE INDEX api_keys_account ON api_keys (account, id)');
}

/** Stores the last 10,000 events of an account. Every hundredth event deletes the older ones. */
async function trimEvents(knex: Knex, dialect: Dialect): Promise<void> {
  const isHundredth = 'NEW.seq / 100 <> OLD.seq / 100';
  const trim = 'DELETE FROM account_events WHERE account = NEW.account AND seq <= NEW.seq - 10000';
  if (dialect === 'sqlite') {
    await knex.raw(`CREATE TRIGGER account_events_kept AFTER UPDATE ON account_event_heads
      WHEN ${isHundredth} BEGIN ${trim}; END`);
    return;
  }
  await knex.raw(`CREATE FUNCTION account_events_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${trim}; RETURN NULL; END $$`);
  await knex.raw(`CREATE TRIGGER account_events_kept AFTER UPDATE ON account_event_heads
    FOR EACH ROW WHEN (${isHundredth}) EXECUTE FUNCTION account_events_kept()`);
}
