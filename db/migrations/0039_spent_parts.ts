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
  },
};

export const spentPartsRows: Migration = {
  name: '0039_spent_parts_rows',
  rows: {
    table: 'commitments',
    where: `spent IS NULL AND spender IS NOT NULL AND state = 'open'`,
    set: `spent = '[["' || spender || '",' || spent_at || ',' || amount || ']]'`,
  },
};
