import type { Instant } from '../../domain/instant.ts';
import type { FeedKind } from '../../domain/registry/crawlFeed.ts';
import type { ListingKind } from '../../domain/registry/listing.ts';
import type { SeedUrl } from '../../domain/registry/target.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { IN_LIST, inListStatement } from '../inList.ts';
import { bulkInsert, bulkJson } from './bulk.ts';

/** Which feed proposed which address, and the targets that the crawler has of them. */
export interface Proposal {
  readonly feed: string;
  readonly url: string;
  readonly origin: string;
  readonly kind?: ListingKind;
  readonly name?: string;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
}

const KNOWN = inListStatement(
  (given) => `SELECT url FROM crawl_proposals WHERE feed = ? AND url ${given}`,
);
const COUNTS = inListStatement(
  (given) => `SELECT origin, count(*) AS n FROM crawl_proposals
    WHERE feed = ? AND origin ${given} GROUP BY origin`,
);

/** Which of these addresses the feed proposed before, and how many it did of each origin. */
export async function knownProposals(
  db: Reader,
  feed: string,
  { urls, origins }: { readonly urls: readonly string[]; readonly origins: readonly string[] },
): Promise<{
  readonly known: ReadonlySet<string>;
  readonly ofOrigin: ReadonlyMap<string, number>;
}> {
  const known = await linkOf(db).rows(KNOWN, [feed, urls]);
  const counts = await linkOf(db).rows(COUNTS, [feed, origins]);
  return {
    known: new Set(known.map((row) => column.text(row, 'url'))),
    ofOrigin: new Map(counts.map((row) => [column.text(row, 'origin'), column.whole(row, 'n')])),
  };
}

const SAVE = bulkInsert({
  table: 'crawl_proposals',
  columns: {
    feed: 'text',
    url: 'text',
    origin: 'text',
    kind: 'text',
    name: 'text',
    first_at: 'int',
    last_at: 'int',
  },
  key: ['feed', 'url'],
  update: ['last_at = excluded.last_at', 'name = excluded.name'],
});

export async function saveProposals(tx: Writer, proposals: readonly Proposal[]): Promise<void> {
  if (proposals.length === 0) return;
  const rows = proposals.map(({ feed, url, origin, kind, name, firstAt, lastAt }) => ({
    feed,
    url,
    origin,
    kind: kind ?? null,
    name: name ?? null,
    first_at: firstAt,
    last_at: lastAt,
  }));
  await linkOf(tx).rows(SAVE, [bulkJson(rows)]);
}

const OF_ORIGIN = statement(`
  SELECT p.feed, f.kind AS feed_kind, p.url, p.name, p.first_at, p.last_at
    FROM crawl_proposals AS p JOIN crawl_feeds AS f ON f.url = p.feed
    WHERE p.origin = ? ORDER BY p.first_at, p.feed, p.url LIMIT 100`);

export interface KnownFrom {
  readonly feed: string;
  readonly feedKind: FeedKind;
  readonly url: string;
  readonly name?: string;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
}

/** Who proposed addresses of an origin, the first one first. */
export async function proposalsOf(db: Reader, origin: string): Promise<readonly KnownFrom[]> {
  return (await linkOf(db).rows(OF_ORIGIN, [origin])).map((row) => {
    const name = column.textOrNull(row, 'name');
    return {
      feed: column.text(row, 'feed'),
      feedKind: column.text(row, 'feed_kind') as FeedKind,
      url: column.text(row, 'url'),
      ...(name !== null && { name }),
      firstAt: column.time(row, 'first_at'),
      lastAt: column.time(row, 'last_at'),
    };
  });
}

const HINTS = statement(
  `SELECT origin, hints FROM crawl_targets WHERE origin ${IN_LIST.sqlite}`,
  `SELECT origin, hints FROM crawl_targets WHERE origin ${IN_LIST.postgres}
    ORDER BY origin FOR UPDATE`,
);

/** The addresses that the crawler has of these origins; locks them. */
export async function lockHints(
  tx: Writer,
  origins: readonly string[],
): Promise<ReadonlyMap<string, readonly SeedUrl[]>> {
  const rows = await linkOf(tx).rows(HINTS, [origins]);
  return new Map(
    rows.map((row) => [
      column.text(row, 'origin'),
      column.json(row, 'hints') as readonly SeedUrl[],
    ]),
  );
}

const QUEUE = bulkInsert({
  table: 'crawl_targets',
  columns: {
    origin: 'text',
    host: 'text',
    found_by: 'text',
    first_seen_at: 'int',
    hints: 'text',
    submissions: 'int',
    back_off: 'int',
    next_look_at: 'int',
    failures: 'int',
  },
  key: ['origin'],
  // A known origin is looked at earlier for a new address, and never later.
  update: [
    'hints = excluded.hints',
    `next_look_at = CASE WHEN excluded.next_look_at < crawl_targets.next_look_at
      THEN excluded.next_look_at ELSE crawl_targets.next_look_at END`,
  ],
});

export interface QueuedOrigin {
  readonly origin: string;
  readonly host: string;
  readonly hints: readonly SeedUrl[];
  readonly at: Instant;
}

export async function queueOrigins(
  tx: Writer,
  queued: readonly QueuedOrigin[],
  now: Instant,
): Promise<void> {
  if (queued.length === 0) return;
  const rows = queued.map(({ origin, host, hints, at }) => ({
    origin,
    host,
    found_by: 'registry',
    first_seen_at: now,
    hints: JSON.stringify(hints),
    submissions: 0,
    back_off: 0,
    next_look_at: at,
    failures: 0,
  }));
  await linkOf(tx).rows(QUEUE, [bulkJson(rows)]);
}
