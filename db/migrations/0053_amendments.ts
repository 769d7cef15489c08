import type { Migration } from '../migration.ts';

/** Changes of the terms of tasks by consent (choices tasks.amendments). */
export const amendments: Migration = {
  name: '0053_amendments',
  async up(knex, { int, text, strict }) {
    await knex.raw(`ALTER TABLE tasks ADD COLUMN clarifications ${text}`);
    await knex.raw(`ALTER TABLE tasks ADD COLUMN amendments ${int} NOT NULL DEFAULT 0`);
    await knex.raw(`ALTER TABLE disputes ADD COLUMN settled_by ${text}`);
    await knex.raw(`
      CREATE TABLE task_amendments (
        id ${text} PRIMARY KEY,
        task_id ${text} NOT NULL REFERENCES tasks (id),
        made_by ${text} NOT NULL,
        revision ${int} NOT NULL CHECK (revision > 0),
        task_state ${text} NOT NULL,
        attempt_id ${text},
        reward_amount ${int} CHECK (reward_amount > 0),
        deadline ${int},
        clarification ${text},
        lease_seconds ${int},
        renew_for_seconds ${int},
        worker_amount ${int} CHECK (worker_amount >= 0),
        refund_amount ${int} CHECK (refund_amount >= 0),
        state ${text} NOT NULL
          CHECK (state IN ('proposed', 'applied', 'refused', 'withdrawn')),
        created_at ${int} NOT NULL,
        ended_at ${int},
        ended_by ${text},
        digest ${text},
        CHECK ((worker_amount IS NULL) = (refund_amount IS NULL)),
        CHECK ((state = 'proposed') = (ended_at IS NULL))
      ) ${strict}`);
    await knex.raw('CREATE INDEX task_amendments_task ON task_amendments (task_id, id)');
    await knex.raw('CREATE INDEX task_amendments_made_by ON task_amendments (made_by, id)');
  },
};
