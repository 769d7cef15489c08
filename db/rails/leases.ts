import type { Instant } from '../../domain/instant.ts';
import { linkOf, statement, type Writer } from '../connection.ts';

/** Which process does what only one may do. The row is locked until the unit ends. */
const TAKE = statement(`
  INSERT INTO chain_leases (name, holder, until_at) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until_at = excluded.until_at
    WHERE chain_leases.holder = excluded.holder OR chain_leases.until_at <= ?
  RETURNING 1 AS done`);

/** Takes or keeps a lease until `until`; false while another process has it. */
export async function takeLease(
  tx: Writer,
  name: string,
  holder: string,
  now: Instant,
  until: Instant,
): Promise<boolean> {
  return (await linkOf(tx).rows(TAKE, [name, holder, until, now])).length > 0;
}
