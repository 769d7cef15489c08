import type { Migration } from '../migration.ts';

/** Idempotency records are deleted after a year (choices ledger.idempotency). */
export const expiry: Migration = {
  name: '0029_expiry',
  indexes: [{ name: 'idempotency_at', sql: 'INDEX idempotency_at ON idempotency (at)' }],
};
