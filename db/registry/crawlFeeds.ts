import type { Instant } from '../../domain/instant.ts';
import { NO_COUNTS, type CrawlFeed, type FeedKind } from '../../domain/registry/crawlFeed.ts';
import type { PassCounts } from '../../domain/registry/crawlFeed.ts';
import * as column from '../batch/columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { dropPackages } from './packages.ts';

/** Feeds of the crawler, and which process reads each of them now. */
export const CRAWL_FEEDS = table(
  'crawl_feeds',
  {
    url: column.text().key(),
    kind: column.text<FeedKind>().fixed(),
    addedAt: column.moment().fixed(),
    cursor: column.text().optional(),
    completeSince: column.moment().optional(),
    passStartedAt: column.moment().optional(),
    pass: column.json<PassCounts>(),
    nextPageAt: column.moment(),
    slotAt: column.moment(),
    day: column.integer(),
    dayNames: column.integer(),
    etag: column.text().optional(),
    failures: column.integer(),
    names: column.integer(),
    lastPageAt: column.moment().optional(),
    lastPassAt: column.moment().optional(),
    fault: column.text().optional(),
    refusal: column.text().optional(),
    claim: column.text().optional().counted(),
    claimedUntil: column.moment().optional().counted(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);

const ADD = statement(`
  ${CRAWL_FEEDS.insertion} ON CONFLICT (url) DO NOTHING RETURNING url`);

/** False when the feed is there already. */
export async function addFeed(
  tx: Writer,
  url: string,
  kind: FeedKind,
  now: Instant,
): Promise<boolean> {
  const times = { addedAt: now, nextPageAt: now, slotAt: now };
  const none = { pass: NO_COUNTS, day: 0, dayNames: 0, failures: 0, names: 0 };
  const cells = CRAWL_FEEDS.cells({ url, kind, ...times, ...none });
  return (await linkOf(tx).rows(ADD, cells)).length > 0;
}

const REMOVE = statement('DELETE FROM crawl_feeds WHERE url = ? RETURNING url');

/** Forgets a feed, its packages and what it proposed; what was found there stays listed. */
export async function removeFeed(tx: Writer, url: string, now: Instant): Promise<boolean> {
  await dropPackages(tx, url, undefined, now);
  return (await linkOf(tx).rows(REMOVE, [url])).length > 0;
}

const RUN = statement(`
  UPDATE crawl_feeds SET next_page_at = ?, failures = 0, claimed_until = NULL
    WHERE url = ? RETURNING url`);

/** Makes a feed due now. */
export async function runFeed(tx: Writer, url: string, now: Instant): Promise<boolean> {
  return (await linkOf(tx).rows(RUN, [now, url])).length > 0;
}

const LIST = statement('SELECT * FROM crawl_feeds ORDER BY url LIMIT 200');

export async function listFeeds(db: Reader): Promise<readonly CrawlFeed[]> {
  return (await linkOf(db).rows(LIST, [])).map(CRAWL_FEEDS.fromRow);
}

const DUE = statement(`
  SELECT url FROM crawl_feeds
    WHERE next_page_at <= ? AND (claimed_until IS NULL OR claimed_until <= ?) LIMIT 1`);

/** Whether a page of any feed is due; an idle hub writes nothing. */
export async function isFeedDue(db: Reader, now: Instant): Promise<boolean> {
  return (await linkOf(db).rows(DUE, [now, now])).length > 0;
}

const claimText = (lock: string): string => `
  UPDATE crawl_feeds SET claim = ?, claimed_until = ? WHERE url IN (
    SELECT url FROM crawl_feeds
      WHERE next_page_at <= ? AND (claimed_until IS NULL OR claimed_until <= ?)
      ORDER BY next_page_at, url LIMIT ?${lock})
  RETURNING *`;
const CLAIM = statement(claimText(''), claimText(' FOR UPDATE SKIP LOCKED'));

export interface FeedClaim {
  readonly claim: string;
  readonly until: Instant;
  readonly now: Instant;
  readonly limit: number;
}

/** Claims the feeds that have a page due. One process claims each feed. */
export async function claimFeeds(
  tx: Writer,
  { claim, until, now, limit }: FeedClaim,
): Promise<readonly CrawlFeed[]> {
  return (await linkOf(tx).rows(CLAIM, [claim, until, now, now, limit])).map(CRAWL_FEEDS.fromRow);
}

const SAVE = statement(`
  ${CRAWL_FEEDS.change}, claim = NULL, claimed_until = NULL
    WHERE url = ? AND claim = ? RETURNING url`);

/** Ends the reading of a page; false when another process claimed the feed since. */
export async function saveFeed(tx: Writer, feed: CrawlFeed, claim: string): Promise<boolean> {
  const rows = await linkOf(tx).rows(SAVE, [...CRAWL_FEEDS.changes(feed), feed.url, claim]);
  return rows.length > 0;
}
