import type { Instant } from '../domain/instant.ts';
import { time } from './columns.ts';
import { linkOf, statement, type Reader, type Writer } from './connection.ts';

/** An address whose caller introduced itself. `said` is the caller's own, unchecked claim. */
export interface AddressAllowance {
  readonly address: string;
  readonly at: Instant;
  readonly until: Instant;
  /** The body of the handshake as JSON text. */
  readonly said: string;
}

const SAVE = statement(`INSERT INTO introductions (address, at, until, said) VALUES (?, ?, ?, ?)
  ON CONFLICT (address) DO UPDATE
  SET at = excluded.at, until = excluded.until, said = excluded.said`);
const UNTIL = statement('SELECT until FROM introductions WHERE address = ? AND until > ?');
const SWEEP = statement('DELETE FROM introductions WHERE until <= ?');

export async function saveAddressAllowance(tx: Writer, each: AddressAllowance): Promise<void> {
  await linkOf(tx).rows(SAVE, [each.address, each.at, each.until, each.said]);
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
