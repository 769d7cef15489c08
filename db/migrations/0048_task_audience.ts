import type { Migration } from '../migration.ts';

/** Private tasks, and the worker that a message of one is between (choices tasks.privacy). */
export const taskAudience: Migration = {
  name: '0048_task_audience',
  async up(knex, { text }) {
    await knex.raw(`ALTER TABLE tasks ADD COLUMN audience ${text} CHECK (audience = 'parties')`);
    await knex.raw(`ALTER TABLE comments ADD COLUMN party ${text}`);
  },
};
