import type { Instant } from '../domain/instant.ts';
import * as column from './batch/columns.ts';
import { table, type RowIn } from './batch/table.ts';
import { time } from './columns.ts';
import { linkOf, statement, type Reader, type Writer } from './connection.ts';

/** An address whose caller introduced itself. */
export const INTRODUCTIONS = table(
  'introductions',
  {
    address: column.text().key(),
    at: column.moment(),
    until: column.moment(),
    /** The body of the handshake as JSON text, which the caller claims and no one checked. */
    said: column.text(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type AddressAllowance = RowIn<typeof INTRODUCTIONS>;

const SAVE = statement(
  `${INTRODUCTIONS.insertion} ON CONFLICT (address) DO UPDATE SET ${INTRODUCTIONS.replacement}`,
);
const UNTIL = statement('SELECT until FROM introductions WHERE address = ? AND until > ?');
const SWEEP = statement('DELETE FROM introductions WHERE until <= ?');

export async function saveAddressAllowance(tx: Writer, each: AddressAllowance): Promise<void> {
  await linkOf(tx).rows(SAVE, INTRODUCTIONS.cells(each));
}

/** When the introduction of an address ends; undefined when it has none now. */
export async function allowedUntil(
  db: Reader,
  address: string,
  now: Instant,
): Promise<Instant | undefined> {
  const [row] = await linkOf(db).rows(UNTIL, [address, now]);
  return row && time(row, 'until');
}

export async function sweepAddressAllowances(tx: Writer, now: Instant): Promise<void> {
  await linkOf(tx).rows(SWEEP, [now]);
}
