import type { Instant } from '../../domain/instant.ts';
import type { FeedKind } from '../../domain/registry/crawlFeed.ts';
import type { ListingKind } from '../../domain/registry/listing.ts';
import type { SeedUrl } from '../../domain/registry/target.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { IN_LIST, inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';
import { bulkInsert, bulkRows } from './bulk.ts';
import { CRAWL_TARGETS, newTarget } from './targets.ts';

/** Which feed proposed which address, and the targets that the crawler has of them. */
export const CRAWL_PROPOSALS = table(
  'crawl_proposals',
  {
    feed: columns.text().key(),
    url: columns.text().key(),
    origin: columns.text(),
    kind: columns.text<ListingKind>().optional(),
    name: columns.text().optional(),
    firstAt: columns.moment(),
    lastAt: columns.moment(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type Proposal = RowIn<typeof CRAWL_PROPOSALS>;

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

const SAVE = bulkInsert(CRAWL_PROPOSALS, {
  key: ['feed', 'url'],
  update: ['last_at = excluded.last_at', 'name = excluded.name'],
});

export async function saveProposals(tx: Writer, proposals: readonly Proposal[]): Promise<void> {
  if (proposals.length === 0) return;
  await linkOf(tx).rows(SAVE, [bulkRows(CRAWL_PROPOSALS, proposals)]);
}

const OF_ORIGIN = inListStatement(
  (given) => `SELECT p.*, f.kind AS feed_kind
    FROM crawl_proposals AS p JOIN crawl_feeds AS f ON f.url = p.feed
    WHERE p.origin = ?
    ORDER BY CASE WHEN p.url ${given} THEN 0 ELSE 1 END, p.first_at, p.feed, p.url LIMIT 100`,
);

export interface KnownFrom extends Omit<Proposal, 'origin' | 'kind'> {
  readonly feedKind: FeedKind;
}

/** Who proposed addresses of an origin, those of `urls` before the others and by time. */
export async function proposalsOf(
  db: Reader,
  origin: string,
  urls: readonly string[] = [],
): Promise<readonly KnownFrom[]> {
  return (await linkOf(db).rows(OF_ORIGIN, [origin, urls])).map((row) => {
    const { origin: _, kind: __, ...from } = CRAWL_PROPOSALS.fromRow(row);
    return { ...from, feedKind: column.text(row, 'feed_kind') as FeedKind };
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

const QUEUE = bulkInsert(CRAWL_TARGETS, {
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
  const rows = queued.map(({ at: nextLookAt, ...target }) => ({
    ...newTarget({ ...target, foundBy: 'registry', now }),
    hints: target.hints,
    nextLookAt,
  }));
  await linkOf(tx).rows(QUEUE, [bulkRows(CRAWL_TARGETS, rows)]);
}
