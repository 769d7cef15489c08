import type { Migration } from '../migration.ts';

/** The open tasks that each worker's pitch won, in the order of those pitches (tasks.pitching). */
export const wonPitches: Migration = {
  name: '0044_won_pitches',
  async up(knex) {
    await knex.raw(`
      CREATE INDEX tasks_won ON tasks (chosen_worker, chosen_pitch)
       WHERE state = 'open' AND chosen_worker IS NOT NULL`);
  },
};
