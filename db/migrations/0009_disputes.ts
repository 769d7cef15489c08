import type { Migration } from '../migration.ts';

/**
 * Disputes (choices disputes.arbiter). A task has at most one, so its key is the task. The parts of
 * a ruling add up to the amount that the transfer released, so they are stored with the transfer.
 */
export const disputes: Migration = {
  name: '0009_disputes',
  async up(knex, { int, text, strict }) {
    await knex.raw(`
      CREATE TABLE disputes (
        task_id ${text} PRIMARY KEY REFERENCES tasks (id),
        raised_by ${text} NOT NULL,
        reason ${text} NOT NULL,
        at ${int} NOT NULL,
        void_at ${int} NOT NULL,
        state ${text} NOT NULL CHECK (state IN ('drawn', 'ruled', 'void')),
        arbiter ${text} REFERENCES seats (account),
        until ${int},
        draw_at ${int},
        draws ${text} NOT NULL,
        verdict ${text} CHECK (verdict IN ('upheld', 'rejected', 'split')),
        worker_share_bps ${int} CHECK (worker_share_bps BETWEEN 0 AND 10000),
        resolution ${text},
        ended_at ${int},
        hub ${int} CHECK (hub >= 0),
        judges ${int} CHECK (judges >= 0),
        arbiter_fee ${int} CHECK (arbiter_fee >= 0),
        worker ${int} CHECK (worker >= 0),
        requester ${int} CHECK (requester >= 0),
        transfer_id ${text} UNIQUE REFERENCES transfers (id),
        CHECK ((arbiter IS NULL) = (until IS NULL)),
        CHECK ((state = 'ruled') = (verdict IS NOT NULL)),
        CHECK ((worker_share_bps IS NOT NULL) = (verdict IS NOT NULL AND verdict = 'split')),
        CHECK ((state = 'drawn') = (ended_at IS NULL)),
        CHECK ((state = 'drawn') = (transfer_id IS NULL))
      ) ${strict}`);
    await knex.raw(`
      CREATE INDEX disputes_arbiter ON disputes (arbiter, until, task_id)
        WHERE state = 'drawn'`);
  },
};
