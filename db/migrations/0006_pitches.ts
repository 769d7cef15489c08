import type { Migration } from '../migration.ts';

/**
 * Pitches (choices tasks.transitions, T18). An account has one pitch per task: a race could break
 * that, so it is an index here. Whose pitch is chosen stands with the task, so that choosing writes
 * one row however many lose by it. The index over a requester's rewarded work is for the record
 * beside a reward.
 */
export const pitches: Migration = {
  name: '0006_pitches',
  async up(knex, { int, text, strict }) {
    await knex.raw(`
      CREATE TABLE pitches (
        id ${text} PRIMARY KEY,
        task_id ${text} NOT NULL REFERENCES tasks (id),
        worker ${text} NOT NULL,
        plan ${text} NOT NULL,
        price ${int} CHECK (price > 0),
        created_at ${int} NOT NULL,
        lapsed ${int} NOT NULL CHECK (lapsed IN (0, 1)),
        UNIQUE (task_id, worker)
      ) ${strict}`);
    await knex.raw('CREATE INDEX pitches_task ON pitches (task_id, id)');
    await knex.raw(`
      CREATE INDEX tasks_record ON tasks (requester, network, id) WHERE reward IS NOT NULL`);
    await knex.raw(`ALTER TABLE tasks ADD COLUMN pitches ${int} NOT NULL DEFAULT 0`);
    await knex.raw(`ALTER TABLE tasks ADD COLUMN chosen_pitch ${text}`);
    await knex.raw(`ALTER TABLE tasks ADD COLUMN chosen_worker ${text}`);
  },
};
