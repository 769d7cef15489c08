import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Writer } from '../connection.ts';
import { counted, less, noteCounts } from './counts.ts';
import { setReportsAside } from './reports.ts';
import { retireServers } from './servers.ts';

const LOCK = statement(
  'SELECT availability, quotes_x402 FROM listings WHERE id = ?',
  'SELECT availability, quotes_x402 FROM listings WHERE id = ? FOR UPDATE',
);
const DELETE = statement('DELETE FROM listings WHERE id = ?');
const DROP_QUOTES = statement('DELETE FROM call_quotes WHERE listing_id = ?');

/** Removes a listing, but not its calls, reviews and karma. Its reports are set aside. */
export async function removeListing(tx: Writer, id: string, at: Instant): Promise<void> {
  const link = linkOf(tx);
  const row = column.one(await link.rows(LOCK, [id]));
  if (row === undefined) return;
  await setReportsAside(tx, id);
  await retireServers(tx, [id], at);
  await link.rows(DROP_QUOTES, [id]);
  await link.rows(DELETE, [id]);
  const gone = { live: row['availability'] === 'live', x402: column.flag(row, 'quotes_x402') };
  await noteCounts(tx, less(counted([]), counted([gone])), at);
}
