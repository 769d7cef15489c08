import { integer, moment, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/**
 * Which process does what only one may do (choices rails.leases). `until_at` changes with each
 * renewal; others watch that change, not a clock. The token rises with each change of holder.
 */
export const CHAIN_LEASES = table(
  'chain_leases',
  {
    name: text().key(),
    /** Empty when the lease was released. */
    holder: text(),
    untilAt: moment(),
    token: integer(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type LeaseHolder = Pick<RowIn<typeof CHAIN_LEASES>, 'holder' | 'untilAt'>;

const TAKE = statement(`
  ${CHAIN_LEASES.insertion} ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until_at = excluded.until_at,
    token = chain_leases.token +
      CASE WHEN chain_leases.holder = excluded.holder THEN 0 ELSE 1 END
    WHERE chain_leases.holder = excluded.holder OR chain_leases.holder = ''
      OR (chain_leases.holder = ? AND chain_leases.until_at = ?)
  RETURNING token`);

/**
 * Takes or renews a lease, also from a `dead` holder if it has not renewed since. Returns the
 * token, or undefined while another process holds the lease.
 */
export async function takeLease(
  tx: Writer,
  name: string,
  mine: LeaseHolder,
  dead: LeaseHolder | undefined,
): Promise<number | undefined> {
  const cells = CHAIN_LEASES.cells({ ...mine, name, token: 1 });
  const other = [dead?.holder ?? '', dead?.untilAt ?? 0];
  const row = column.one(await linkOf(tx).rows(TAKE, [...cells, ...other]));
  return row && column.whole(row, 'token');
}

const READ = statement('SELECT * FROM chain_leases WHERE name = ?');

export async function readLease(db: Reader, name: string): Promise<LeaseHolder | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [name]));
  return row && CHAIN_LEASES.fromRow(row);
}

const HELD = 'SELECT 1 AS held FROM chain_leases WHERE name = ? AND holder = ? AND token = ?';
const IS_HELD = statement(HELD, `${HELD} FOR SHARE`);

/** Whether the lease is still of that holder and term. It stays so until the transaction ends. */
export async function holdsLease(
  tx: Writer,
  name: string,
  holder: string,
  token: number,
): Promise<boolean> {
  return (await linkOf(tx).rows(IS_HELD, [name, holder, token])).length > 0;
}

const RELEASE = statement(`UPDATE chain_leases SET holder = '', until_at = 0 WHERE holder = ?`);

export async function releaseLeases(tx: Writer, holder: string): Promise<void> {
  await linkOf(tx).rows(RELEASE, [holder]);
}
