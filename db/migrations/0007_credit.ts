import type { Migration } from '../migration.ts';

/**
 * Credit (choices credit.limit). The constraints allow one open loan for each task and no payment
 * above what was lent. `on_trust` is the part of an advance that no paid fees cover, and `site` is
 * the network address block of the borrower (choices credit.shares).
 */
export const credit: Migration = {
  name: '0007_credit',
  async up(knex, { int, text, strict, strictKeyed }) {
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
        on_trust ${int} NOT NULL DEFAULT 0 CHECK (on_trust >= 0),
        site ${text} NOT NULL DEFAULT '',
        CHECK ((state = 'repaid') = (principal_left + origination_left = 0)),
        CHECK ((state = 'repaid') = (repaid_at IS NOT NULL)),
        CHECK (state <> 'open' OR due_at IS NULL),
        CHECK (state NOT IN ('due', 'defaulted') OR due_at IS NOT NULL),
        CHECK (state <> 'defaulted' OR defaulted_at IS NOT NULL)
      ) ${strict}`);
    await knex.raw(`CREATE UNIQUE INDEX loans_task ON loans (task_id) WHERE state = 'open'`);
    await knex.raw(`
      CREATE INDEX loans_unpaid ON loans (borrower, network)
        WHERE state <> 'repaid'`);
    await knex.raw(`CREATE INDEX loans_due ON loans (due_at) WHERE state = 'due'`);
    await knex.raw(`
      CREATE INDEX loans_window ON loans (network, taken_at)
        WHERE state <> 'repaid'`);
    await knex.raw(`CREATE INDEX loans_unpaid_task ON loans (task_id) WHERE state <> 'repaid'`);
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
  },
};
