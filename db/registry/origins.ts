import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { summaryOf } from './listingRow.ts';
import type { ListingSummary } from '../../domain/registry/listing.ts';

/** The listings of an origin and of a host. */
const AT_ORIGIN = statement('SELECT id FROM listings WHERE origin = ? ORDER BY kind, id LIMIT 50');

/** Their codes; a look reads no more than it can report. */
export async function listingsAt(db: Reader, origin: string): Promise<readonly string[]> {
  return (await linkOf(db).rows(AT_ORIGIN, [origin])).map((row) => column.text(row, 'id'));
}

const SUMMARIES = statement(
  `SELECT id, kind, name, endpoint, availability, access FROM listings WHERE host = ?
    ORDER BY answers DESC, karma DESC, reach DESC, id LIMIT ?`,
);
const COUNT = statement('SELECT count(*) AS n FROM listings WHERE host = ?');

export async function hostListings(
  db: Reader,
  host: string,
  limit: number,
): Promise<{ readonly count: number; readonly listings: readonly ListingSummary[] }> {
  const rows = await linkOf(db).rows(SUMMARIES, [host, limit]);
  const counted = column.one(await linkOf(db).rows(COUNT, [host]));
  return {
    count: counted === undefined ? 0 : column.whole(counted, 'n'),
    listings: rows.map(summaryOf),
  };
}

const BY_ENDPOINT = statement(
  'SELECT id FROM listings WHERE endpoint = ? ORDER BY answers DESC, reach DESC, id LIMIT 1',
);

/** The code of the listing whose door is this address. */
export async function listingAtEndpoint(db: Reader, endpoint: string): Promise<string | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ENDPOINT, [endpoint]));
  return row && column.text(row, 'id');
}
