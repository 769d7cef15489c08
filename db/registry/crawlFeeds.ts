import { instant, type Instant } from '../../domain/instant.ts';
import { NO_COUNTS, type CrawlFeed, type FeedKind } from '../../domain/registry/crawlFeed.ts';
import type { PassCounts } from '../../domain/registry/crawlFeed.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/** Feeds of the crawler, and which process reads each of them now. */
const ADD = statement(`
  INSERT INTO crawl_feeds (url, kind, added_at, pass, next_page_at, slot_at, day, day_names,
      failures, names)
    VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0) ON CONFLICT (url) DO NOTHING RETURNING url`);

/** False when the feed is there already. */
export async function addFeed(
  tx: Writer,
  url: string,
  kind: FeedKind,
  now: Instant,
): Promise<boolean> {
  const values = [url, kind, now, JSON.stringify(NO_COUNTS), now, now];
  return (await linkOf(tx).rows(ADD, values)).length > 0;
}

const REMOVE = statement('DELETE FROM crawl_feeds WHERE url = ? RETURNING url');

/** Forgets a feed and what it proposed; what was found at those addresses stays listed. */
export async function removeFeed(tx: Writer, url: string): Promise<boolean> {
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
  return (await linkOf(db).rows(LIST, [])).map(feedOf);
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
  return (await linkOf(tx).rows(CLAIM, [claim, until, now, now, limit])).map(feedOf);
}

const SAVE = statement(`
  UPDATE crawl_feeds SET cursor = ?, complete_since = ?, pass_started_at = ?, pass = ?,
      next_page_at = ?, slot_at = ?, day = ?, day_names = ?, etag = ?, failures = ?, names = ?,
      last_page_at = ?, last_pass_at = ?, fault = ?, refusal = ?, claim = NULL,
      claimed_until = NULL
    WHERE url = ? AND claim = ? RETURNING url`);

/** Ends the reading of a page; false when another process claimed the feed since. */
export async function saveFeed(tx: Writer, feed: CrawlFeed, claim: string): Promise<boolean> {
  const rows = await linkOf(tx).rows(SAVE, [
    feed.cursor ?? null,
    feed.completeSince ?? null,
    feed.passStartedAt ?? null,
    JSON.stringify(feed.pass),
    feed.nextPageAt,
    feed.slotAt,
    feed.day,
    feed.dayNames,
    feed.etag ?? null,
    feed.failures,
    feed.names,
    feed.lastPageAt ?? null,
    feed.lastPassAt ?? null,
    feed.fault ?? null,
    feed.refusal ?? null,
    feed.url,
    claim,
  ]);
  return rows.length > 0;
}

const TEXTS = [
  ['cursor', 'cursor'],
  ['etag', 'etag'],
  ['fault', 'fault'],
  ['refusal', 'refusal'],
] as const;
const TIMES = [
  ['completeSince', 'complete_since'],
  ['passStartedAt', 'pass_started_at'],
  ['lastPageAt', 'last_page_at'],
  ['lastPassAt', 'last_pass_at'],
] as const;

function feedOf(row: Row): CrawlFeed {
  const texts = TEXTS.flatMap(([name, of]) => {
    const value = column.textOrNull(row, of);
    return value === null ? [] : [[name, value] as const];
  });
  const times = TIMES.flatMap(([name, of]) => {
    const value = column.timeOrNull(row, of);
    return value === null ? [] : [[name, instant(value)] as const];
  });
  return {
    url: column.text(row, 'url'),
    kind: column.text(row, 'kind') as FeedKind,
    addedAt: column.time(row, 'added_at'),
    pass: column.json(row, 'pass') as PassCounts,
    nextPageAt: column.time(row, 'next_page_at'),
    slotAt: column.time(row, 'slot_at'),
    day: column.whole(row, 'day'),
    dayNames: column.whole(row, 'day_names'),
    failures: column.whole(row, 'failures'),
    names: column.whole(row, 'names'),
    ...Object.fromEntries(texts),
    ...Object.fromEntries(times),
  };
}
