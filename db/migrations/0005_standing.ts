import type { Knex } from 'knex';
import type { Migration, DialectTypes } from '../migration.ts';

/**
 * Karma and credit (choices credit.limit, karma.entries). An occasion gives karma once, a task
 * carries one open loan, and no loan is paid beyond what was lent: what a race could break is an
 * index or a CHECK here.
 */
export const standing: Migration = {
  name: '0005_standing',
  async up(knex, words) {
    await karma(knex, words);
    await credit(knex, words);
  },
};

async function karma(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE karma_entries (
      id ${text} PRIMARY KEY,
      subject ${text} NOT NULL,
      at ${int} NOT NULL,
      delta ${int} NOT NULL,
      full_delta ${int} NOT NULL CHECK (full_delta <> 0),
      lowered_by ${text},
      reason ${text} NOT NULL,
      ref_kind ${text} NOT NULL,
      ref_id ${text} NOT NULL,
      occasion ${text} NOT NULL,
      counterparty ${text},
      money ${text} NOT NULL CHECK (money IN ('real', 'test', 'none')),
      UNIQUE (subject, reason, occasion),
      CHECK ((lowered_by IS NULL) = (delta = full_delta))
    ) ${strict}`);
  await knex.raw('CREATE INDEX karma_entries_subject ON karma_entries (subject, id)');
  await knex.raw(
    'CREATE INDEX karma_entries_gains ON karma_entries (subject, at) WHERE full_delta > 0',
  );
  await knex.raw(`
    CREATE INDEX karma_entries_party ON karma_entries (subject, counterparty, at)
      WHERE full_delta > 0`);
  await knex.raw(`
    CREATE TABLE karma_totals (
      subject ${text} PRIMARY KEY,
      total ${int} NOT NULL,
      from_test ${int} NOT NULL CHECK (from_test <= 20)
    ) ${strict}`);
}

async function credit(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE credit_lines (
      account ${text} NOT NULL,
      network ${text} NOT NULL REFERENCES networks (id),
      earned ${int} NOT NULL CHECK (earned >= 0),
      defaulted_at ${int},
      PRIMARY KEY (account, network)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE loans (
      id ${text} PRIMARY KEY,
      borrower ${text} NOT NULL,
      task_id ${text} NOT NULL REFERENCES tasks (id),
      attempt_id ${text} NOT NULL UNIQUE REFERENCES attempts (id),
      network ${text} NOT NULL REFERENCES networks (id),
      principal ${int} NOT NULL CHECK (principal > 0),
      origination ${int} NOT NULL CHECK (origination > 0),
      principal_left ${int} NOT NULL CHECK (principal_left BETWEEN 0 AND principal),
      origination_left ${int} NOT NULL CHECK (origination_left BETWEEN 0 AND origination),
      state ${text} NOT NULL CHECK (state IN ('open', 'due', 'repaid', 'defaulted')),
      taken_at ${int} NOT NULL,
      due_at ${int},
      defaulted_at ${int},
      repaid_at ${int},
      transfer_id ${text} NOT NULL UNIQUE REFERENCES transfers (id),
      CHECK ((state = 'repaid') = (principal_left + origination_left = 0)),
      CHECK ((state = 'repaid') = (repaid_at IS NOT NULL)),
      CHECK (state <> 'open' OR due_at IS NULL),
      CHECK (state NOT IN ('due', 'defaulted') OR due_at IS NOT NULL),
      CHECK (state <> 'defaulted' OR defaulted_at IS NOT NULL)
    ) ${strict}`);
  await knex.raw(`CREATE UNIQUE INDEX loans_task ON loans (task_id) WHERE state = 'open'`);
  await knex.raw(`CREATE INDEX loans_unpaid ON loans (borrower, network) WHERE state <> 'repaid'`);
  await knex.raw(`CREATE INDEX loans_due ON loans (due_at) WHERE state = 'due'`);
  await knex.raw(`
    CREATE TABLE loan_payments (
      loan_id ${text} NOT NULL REFERENCES loans (id),
      transfer_id ${text} NOT NULL REFERENCES transfers (id),
      principal ${int} NOT NULL CHECK (principal >= 0),
      origination ${int} NOT NULL CHECK (origination >= 0),
      at ${int} NOT NULL,
      PRIMARY KEY (loan_id, transfer_id),
      CHECK (principal + origination > 0)
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX loan_payments_transfer ON loan_payments (transfer_id)');
}
