import type { Migration } from '../migration.ts';

/** Receipts of a caller by operation and by listing, newest first (choices router.receipts). */
export const callReceipts: Migration = {
  name: '0130_call_receipts',
  async up(knex) {
    await knex.raw('CREATE INDEX calls_operation ON calls (caller, network, operation, id)');
    await knex.raw(`
      CREATE INDEX calls_listing ON calls (caller, network, listing_id, id)
       WHERE listing_id IS NOT NULL`);
  },
};
