import type { Migration } from '../migration.ts';

/** Chains of one worker, and the time that each step has (choices chains.milestones). */
export const milestones: Migration = {
  name: '0037_milestones',
  async up(knex, { int, text }) {
    await knex.raw(`
      ALTER TABLE chains ADD COLUMN same_worker ${int} NOT NULL DEFAULT 0
        CHECK (same_worker IN (0, 1) AND same_worker + distinct_workers < 2)`);
    await knex.raw(`
      ALTER TABLE chain_steps ADD COLUMN deadline_seconds ${int} NOT NULL DEFAULT 604800
        CHECK (deadline_seconds > 0)`);
    await knex.raw(`ALTER TABLE tasks ADD COLUMN chain_worker ${text}`);
  },
};
