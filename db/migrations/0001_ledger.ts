import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * The money tables (choices ledger.tables). The CHECKs hold what no code may break: only external
 * accounts owe money (I4), balances are exact in JavaScript, and real money is never minted.
 */
export const ledger: Migration = {
  name: '0001_ledger',
  async up(knex, words) {
    await networks(knex, words);
    await accounts(knex, words);
    await journal(knex, words);
    await commitments(knex, words);
    await pause(knex, words);
  },
};

const BALANCE_MAX = '9007199254740991';
const AMOUNT_MAX = '1000000000000000';

async function networks(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE networks (
      id ${text} PRIMARY KEY,
      kind ${text} NOT NULL CHECK (kind IN ('real', 'test', 'play')),
      asset ${text} NOT NULL,
      decimals ${int} NOT NULL,
      chain_id ${int},
      confirmations ${int} NOT NULL,
      watched ${int} NOT NULL CHECK (watched IN (0, 1)),
      faucet ${int} NOT NULL CHECK (faucet IN (0, 1) AND NOT (kind = 'real' AND faucet = 1)),
      buys_models ${int} NOT NULL CHECK (buys_models IN (0, 1)),
      min_withdraw ${int},
      withdraw_fee ${int}
    ) ${strict}`);
  const row = {
    asset: 'USDC',
    decimals: 6,
    chain_id: null,
    confirmations: 0,
    watched: 0,
    faucet: 0,
    buys_models: 0,
  };
  await knex('networks').insert([
    {
      ...row,
      id: 'sandbox',
      kind: 'test',
      faucet: 1,
      buys_models: 1,
      min_withdraw: 10_000,
      withdraw_fee: 1_000,
    },
    {
      ...row,
      id: 'base',
      kind: 'real',
      chain_id: 8453,
      confirmations: 60,
      watched: 1,
      buys_models: 1,
      min_withdraw: 1_000_000,
      withdraw_fee: 10_000,
    },
    { ...row, id: 'play', kind: 'play', min_withdraw: null, withdraw_fee: null },
  ]);
}

async function accounts(knex: Knex, { int, text, serial, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE accounts (
      id ${serial},
      network ${text} NOT NULL REFERENCES networks (id),
      asset ${text} NOT NULL,
      name ${text} NOT NULL,
      class ${text} NOT NULL CHECK (class IN ('user', 'hub', 'external')),
      shard ${int} NOT NULL CHECK (shard >= 0),
      posted ${int} NOT NULL CHECK (posted BETWEEN -${BALANCE_MAX} AND ${BALANCE_MAX}),
      held ${int} NOT NULL CHECK (held >= 0),
      seq ${int} NOT NULL CHECK (seq >= 0),
      UNIQUE (network, asset, name, shard),
      CHECK (class = 'external' OR posted >= held),
      CHECK ((class = 'hub') = (name LIKE 'hub:%')),
      CHECK ((class = 'external') = (name LIKE 'external:%')),
      CHECK (network <> 'base' OR name NOT IN ('external:faucet', 'external:issuance'))
    ) ${strict}`);
  // External and hub accounts are few. The money supply and the funds of the hub are sums over them.
  await knex.raw(`
    CREATE INDEX accounts_outside ON accounts (network, asset)
      WHERE class = 'external'`);
  await knex.raw(`CREATE INDEX accounts_house ON accounts (network, asset) WHERE class = 'hub'`);
}

async function journal(knex: Knex, words: DialectTypes): Promise<void> {
  const { int, text, serial, strict, strictKeyed } = words;
  const isSqlite = words.dialect === 'sqlite';
  await knex.raw(`
    CREATE TABLE transfers (
      seq ${serial},
      id ${text} NOT NULL UNIQUE,
      network ${text} NOT NULL,
      asset ${text} NOT NULL,
      event ${text} NOT NULL,
      ref_kind ${text} NOT NULL,
      ref_id ${text} NOT NULL,
      actor ${text} NOT NULL,
      memo ${text},
      at ${int} NOT NULL
    ) ${strict}`);
  await knex.raw(`
    CREATE TABLE entries (
      account_id ${int} NOT NULL ${isSqlite ? 'REFERENCES accounts (id)' : ''},
      account_seq ${int} NOT NULL CHECK (account_seq > 0),
      transfer_seq ${int} NOT NULL ${isSqlite ? 'REFERENCES transfers (seq)' : ''},
      kind ${text} NOT NULL CHECK (kind IN ('move', 'hold', 'release')),
      reason ${text} NOT NULL,
      counterparty ${text},
      delta ${int} NOT NULL CHECK (delta BETWEEN -${AMOUNT_MAX} AND ${AMOUNT_MAX}),
      posted_after ${int} NOT NULL,
      held_after ${int} NOT NULL,
      at ${int} NOT NULL,
      PRIMARY KEY (account_id, account_seq${isSqlite ? '' : ', transfer_seq'}),
      CHECK (delta <> 0 AND (kind <> 'hold' OR delta > 0) AND (kind <> 'release' OR delta < 0))
    ) ${isSqlite ? strictKeyed : 'PARTITION BY RANGE (transfer_seq)'}`);
  if (!isSqlite) await firstPartitions(knex);
  await knex.raw('CREATE INDEX entries_transfer ON entries (transfer_seq)');
  await knex.raw('CREATE INDEX entries_at ON entries (account_id, at)');
  await knex.raw(`
    CREATE INDEX entries_earned ON entries (at)
      WHERE delta > 0 AND reason IN ('task.reward', 'task.fee.hub', 'task.fee.judges',
        'dispute.arbiter', 'bonus.welcome', 'call.charge')`);
  await knex.raw(`
    CREATE INDEX entries_in ON entries (account_id, account_seq)
      WHERE reason IN ('faucet', 'issue', 'x402.topup')`);
  if (!isSqlite) await parentsByStatement(knex);
}

/**
 * PostgreSQL stores entries in partitions, so their indexes stay small and an old part can lie
 * elsewhere. `entries_rest` takes what fits no partition that db/ledger/partitions.ts made in time.
 */
async function firstPartitions(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE entries_0 PARTITION OF entries
    FOR VALUES FROM (0) TO (${FIRST_PARTITION})`);
  await knex.raw('CREATE TABLE entries_rest PARTITION OF entries DEFAULT');
}
const FIRST_PARTITION = 10_000_000;

async function commitments(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE commitments (
      id ${text} PRIMARY KEY,
      account_id ${int} NOT NULL REFERENCES accounts (id),
      kind ${text} NOT NULL,
      ref_kind ${text} NOT NULL,
      ref_id ${text} NOT NULL,
      amount ${int} NOT NULL CHECK (amount > 0),
      remaining ${int} NOT NULL CHECK (remaining BETWEEN 0 AND amount),
      state ${text} NOT NULL CHECK (state IN ('open', 'closed')),
      opened_by ${int} NOT NULL REFERENCES transfers (seq),
      opened_at ${int} NOT NULL,
      closed_by ${int} REFERENCES transfers (seq),
      expires_at ${int},
      CHECK ((state = 'open') = (remaining > 0)),
      CHECK ((state = 'closed') = (closed_by IS NOT NULL))
    ) ${strict}`);
  await knex.raw(`
    CREATE INDEX commitments_open ON commitments (account_id, opened_at)
      WHERE state = 'open'`);
  await knex.raw('CREATE INDEX commitments_ref ON commitments (ref_kind, ref_id)');
}

/** The table has a row while the operator pauses all money (choices operator.freeze). */
async function pause(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE ledger_pause (
      id ${int} PRIMARY KEY CHECK (id = 1),
      since ${int} NOT NULL,
      reason ${text} NOT NULL
    ) ${strict}`);
}

/**
 * A foreign key of PostgreSQL runs a query for each row, and the settlement of 2,000 bettors writes
 * 6,000 entries. These triggers reject the same writes with one query for each statement (choices
 * store.postgres). SQLite checks foreign keys in its own thread and keeps them.
 */
async function parentsByStatement(knex: Knex): Promise<void> {
  // A scalar subquery uses the index for each row. The plan of an EXISTS may join all accounts.
  const parents = `FROM added e
    WHERE (SELECT 1 FROM accounts WHERE id = e.account_id) IS NULL
      OR (SELECT 1 FROM transfers WHERE seq = e.transfer_seq) IS NULL`;
  await knex.raw(rejectingTrigger('entries_parents', 'entries', 'INSERT', parents));
  for (const [table, key, column] of PARENTS) {
    const used = `FROM gone g
      WHERE (SELECT 1 FROM entries WHERE ${column} = g.${key} LIMIT 1) IS NOT NULL`;
    await knex.raw(rejectingTrigger(`${table}_entries`, table, 'DELETE', used));
  }
  await knex.raw(ENTRIES_FIXED);
}

const PARENTS = [
  ['accounts', 'id', 'account_id'],
  ['transfers', 'seq', 'transfer_seq'],
] as const;

/** Like a foreign key, the trigger rejects a statement for which the query returns a row. */
function rejectingTrigger(
  name: string,
  table: string,
  event: 'INSERT' | 'DELETE',
  query: string,
): string {
  const rows = event === 'INSERT' ? 'NEW TABLE AS added' : 'OLD TABLE AS gone';
  return `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM ${query};
      IF FOUND THEN
        RAISE foreign_key_violation
          USING MESSAGE = 'an entry has an account and a transfer', CONSTRAINT = '${name}';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${name} AFTER ${event} ON ${table} REFERENCING ${rows}
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`;
}

/** An entry never moves to another account or transfer. The keys of those never change either. */
const ENTRIES_FIXED = `
  CREATE FUNCTION entries_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE foreign_key_violation
      USING MESSAGE = 'an entry stays with its account and transfer', CONSTRAINT = 'entries_fixed';
  END $$;
  CREATE TRIGGER entries_fixed BEFORE UPDATE OF account_id, transfer_seq ON entries
    FOR EACH ROW EXECUTE FUNCTION entries_fixed()`;
