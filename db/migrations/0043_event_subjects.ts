import type { Migration } from '../migration.ts';

/** What an event is about is no longer a task alone (choices wallet.following). */
export const eventSubjects: Migration = {
  name: '0043_event_subjects',
  async up(knex) {
    await knex.raw('ALTER TABLE account_events RENAME COLUMN task_id TO subject_id');
  },
};
