import type { Migration } from '../migration.ts';

/**
 * Chains (choices chains.steps). A step keeps the deal that it was published with and names its
 * task once its turn has come; the task names the step, so that every decision about it finds its
 * chain.
 */
export const chains: Migration = {
  name: '0008_chains',
  async up(knex, { int, text, strict, strictKeyed }) {
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
    await knex.raw(`
      CREATE TABLE chain_steps (
        chain_id ${text} NOT NULL REFERENCES chains (id),
        n ${int} NOT NULL CHECK (n BETWEEN 1 AND 50),
        title ${text} NOT NULL,
        description ${text} NOT NULL,
        reward ${int} NOT NULL CHECK (reward > 0),
        verification ${text} NOT NULL
          CHECK (verification IN ('automatic', 'validator', 'requester')),
        acceptance ${text},
        required_skills ${text} NOT NULL,
        auto_accept_seconds ${int},
        dispute_window_seconds ${int} NOT NULL,
        task_id ${text} UNIQUE REFERENCES tasks (id),
        PRIMARY KEY (chain_id, n)
      ) ${strictKeyed}`);
    await knex.raw(`ALTER TABLE tasks ADD COLUMN chain_id ${text} REFERENCES chains (id)`);
    await knex.raw(`ALTER TABLE tasks ADD COLUMN chain_step ${int}`);
    await knex.raw(`
      CREATE UNIQUE INDEX tasks_chain ON tasks (chain_id, chain_step)
        WHERE chain_id IS NOT NULL`);
  },
};
