import type { CrawlStep } from '../../domain/registry/target.ts';
import type { AskedAddress, ListedAddress } from '../../domain/registry/turns.ts';
import * as column from '../batch/columns.ts';
import * as cells from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';
import { bulkInsert, bulkRows } from './bulk.ts';

/** When the crawler asked each address, what came back, and when its next turn is. */
export const CRAWL_ADDRESSES = table(
  'crawl_addresses',
  {
    url: column.text().key(),
    origin: column.text(),
    askedAt: column.moment(),
    dueAt: column.moment(),
    failures: column.integer(),
    answered: column.flag(),
    listingId: column.text().optional(),
    steps: column.json<readonly CrawlStep[]>(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);

const BY_URL = inListStatement((given) => `SELECT * FROM crawl_addresses WHERE url ${given}`);

export async function askedAt(
  db: Reader,
  urls: readonly string[],
): Promise<readonly AskedAddress[]> {
  return (await linkOf(db).rows(BY_URL, [urls])).map(CRAWL_ADDRESSES.fromRow);
}

const OF_ORIGIN = statement(`
  SELECT url, asked_at, due_at, failures, answered, listing_id FROM crawl_addresses
    WHERE origin = ? ORDER BY asked_at DESC LIMIT 1000`);

export type AskedTurn = Omit<AskedAddress, 'steps'>;

/** The addresses of an origin that were asked, without what came back. */
export async function askedOf(db: Reader, origin: string): Promise<readonly AskedTurn[]> {
  return (await linkOf(db).rows(OF_ORIGIN, [origin])).map((row) => ({
    url: cells.text(row, 'url'),
    askedAt: cells.time(row, 'asked_at'),
    dueAt: cells.time(row, 'due_at'),
    failures: cells.whole(row, 'failures'),
    answered: cells.flag(row, 'answered'),
    ...(typeof row['listing_id'] === 'string' && { listingId: row['listing_id'] }),
  }));
}

const LISTED = statement(`
  SELECT id, endpoint, last_checked_at FROM listings
    WHERE origin = ? AND kind = 'mcp' AND coalesce(verification, '') <> 'hosted'
    ORDER BY last_checked_at, id LIMIT 1000`);

/** The servers that are listed at an origin, those asked longest ago first. */
export async function listedServers(db: Reader, origin: string): Promise<readonly ListedAddress[]> {
  return (await linkOf(db).rows(LISTED, [origin])).map((row) => ({
    id: cells.text(row, 'id'),
    url: cells.text(row, 'endpoint'),
    askedAt: cells.time(row, 'last_checked_at'),
  }));
}

const ANSWERED = inListStatement(
  (given) => `SELECT origin, count(*) AS n FROM crawl_addresses
    WHERE origin ${given} AND answered = 1 GROUP BY origin`,
);

/** How many addresses of each origin answered when they were asked last. */
export async function answeredCounts(
  db: Reader,
  origins: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await linkOf(db).rows(ANSWERED, [origins]);
  return new Map(rows.map((row) => [cells.text(row, 'origin'), cells.whole(row, 'n')]));
}

const SAVE = bulkInsert(CRAWL_ADDRESSES, {
  key: ['url'],
  update: [CRAWL_ADDRESSES.replacement],
});

export async function saveAddresses(
  tx: Writer,
  origin: string,
  asked: readonly AskedAddress[],
): Promise<void> {
  if (asked.length === 0) return;
  const rows = asked.map((each) => ({ ...each, origin }));
  await linkOf(tx).rows(SAVE, [bulkRows(CRAWL_ADDRESSES, rows)]);
}
