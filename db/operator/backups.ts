import type { Instant } from '../../domain/instant.ts';
import { integer, moment } from '../batch/columns.ts';
import { need } from '../batch/need.ts';
import { table } from '../batch/table.ts';
import type { Transaction } from '../batch/transaction.ts';
import { one } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/** When the newest backup was made: one row, from the first backup on. */
export const BACKUPS = table(
  'backups',
  { id: integer().key(), madeAt: moment() },
  { personal: { apart: 'about no account' } },
);
const NEWEST = 1;
const READ = statement('SELECT * FROM backups');

/** Returns when the newest backup was made, or undefined if none was. */
export async function newestBackup(db: Reader): Promise<Instant | undefined> {
  const row = one(await linkOf(db).rows(READ, []));
  return row && BACKUPS.fromRow(row).madeAt;
}

/** Notes that a backup was made; an older one than the newest changes nothing. */
export function noteBackup(madeAt: Instant): Transaction<void> {
  return {
    needs: [need(BACKUPS, NEWEST)],
    decide(db) {
      const newest = db.find(BACKUPS, NEWEST);
      if (newest !== undefined && newest.madeAt >= madeAt) return;
      db.put(BACKUPS, NEWEST, { id: NEWEST, madeAt });
    },
  };
}
