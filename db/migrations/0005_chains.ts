import type { Migration } from '../migration.ts';

/** Chains (choices chains.steps), which tasks refer to; the steps are made with the tasks. */
export const chains: Migration = {
  name: '0005_chains',
  async up(knex, { int, text, strict }) {
    await knex.raw(`
      CREATE TABLE chains (
        id ${text} PRIMARY KEY,
        requester ${text} NOT NULL,
        title ${text} NOT NULL,
        network ${text} NOT NULL REFERENCES networks (id),
        distinct_workers ${int} NOT NULL CHECK (distinct_workers IN (0, 1)),
        state ${text} NOT NULL CHECK (state IN ('running', 'completed', 'abandoned')),
        steps ${int} NOT NULL CHECK (steps BETWEEN 1 AND 50),
        step ${int} NOT NULL CHECK (step BETWEEN 1 AND steps),
        total ${int} NOT NULL CHECK (total > 0),
        spent ${int} NOT NULL CHECK (spent >= 0),
        refunded ${int} NOT NULL CHECK (refunded >= 0),
        waiting ${int} NOT NULL CHECK (waiting >= 0),
        hold_id ${text} NOT NULL REFERENCES commitments (id),
        created_at ${int} NOT NULL,
        ended_at ${int},
        end_reason ${text},
        CHECK (spent + refunded + waiting <= total),
        CHECK ((state = 'running') = (ended_at IS NULL)),
        CHECK (state = 'running' OR waiting = 0)
      ) ${strict}`);
    await knex.raw('CREATE INDEX chains_requester ON chains (requester, id)');
    await knex.raw('CREATE INDEX chains_state ON chains (state, id)');
  },
};
