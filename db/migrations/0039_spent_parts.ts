import type { Migration } from '../migration.ts';

/**
 * Parts of a commitment that were counted for keys (choices wallet.policies), in place of one key and
 * one moment: several keys hold one stake, and one decides on what another one held. `spender` and
 * `spent_at` are read no more.
 */
export const spentParts: Migration = {
  name: '0039_spent_parts',
  async up(knex, { text }) {
    await knex.raw(`ALTER TABLE commitments ADD COLUMN spent ${text}`);
    await knex.raw(`
      UPDATE commitments SET spent = '[["' || spender || '",' || spent_at || ',' || amount || ']]'
      WHERE spender IS NOT NULL AND state = 'open'`);
  },
};
