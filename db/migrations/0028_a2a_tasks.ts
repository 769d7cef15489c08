import type { Migration } from '../migration.ts';

/** Tasks of the A2A door, which every process finds (choices doors.a2a-tasks). */
export const a2aTasks: Migration = {
  name: '0028_a2a_tasks',
  async up(knex, { int, text, strict }) {
    await knex.raw(`
      CREATE TABLE a2a_tasks (
        id ${text} PRIMARY KEY,
        account ${text} NOT NULL,
        context_id ${text} NOT NULL,
        request_id ${text} NOT NULL,
        skill ${text} NOT NULL,
        state ${text} NOT NULL
          CHECK (state IN ('working', 'completed', 'canceled', 'rejected', 'failed')),
        at ${int} NOT NULL,
        content ${text},
        characters ${int} NOT NULL,
        is_read ${int} NOT NULL CHECK (is_read IN (0, 1)),
        CHECK ((state = 'working') = (content IS NULL))
      ) ${strict}`);
    await knex.raw('CREATE INDEX a2a_tasks_account ON a2a_tasks (account, at, id)');
    await knex.raw('CREATE INDEX a2a_tasks_at ON a2a_tasks (at)');
  },
};
