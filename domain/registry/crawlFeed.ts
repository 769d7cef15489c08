import type { Instant } from '../instant.ts';

/** Lists that propose addresses to the crawler; a probe decides (choices registry.crawl-feeds). */
export type FeedKind = 'mcp-registry' | 'x402' | 'hub' | 'list';

export interface CrawlFeed {
  readonly url: string;
  readonly kind: FeedKind;
  readonly addedAt: Instant;
  /** Where the pass that is under way goes on; absent between passes, and on a first page. */
  readonly cursor?: string;
  /** When the last complete pass began; the next one asks for what changed since. */
  readonly completeSince?: Instant;
  readonly passStartedAt?: Instant;
  readonly pass: PassCounts;
  readonly nextPageAt: Instant;
  /** When the next new address of the feed is probed. */
  readonly slotAt: Instant;
  /** Number of a day, and how many new addresses were queued on it. */
  readonly day: number;
  readonly dayNames: number;
  readonly etag?: string;
  readonly failures: number;
  /** Distinct addresses that it ever proposed. */
  readonly names: number;
  readonly lastPageAt?: Instant;
  readonly lastPassAt?: Instant;
  readonly fault?: string;
  readonly refusal?: string;
}

/** Counts of the pass that is under way, or of the last one. */
export interface PassCounts {
  readonly pages: number;
  /** Addresses that could be proposed. */
  readonly proposed: number;
  /** Entries without an address that a crawler can call that are no package either. */
  readonly skipped: number;
  /** Servers that are packages alone; absent in counts of an older release. */
  readonly packages?: number;
  /** Addresses that the hub never calls, or above the cap of an origin. */
  readonly refused: number;
}

export const NO_COUNTS: PassCounts = { pages: 0, proposed: 0, skipped: 0, refused: 0, packages: 0 };

/** Bounds of what a feed may cost, whatever it answers. */
export const FEED_LIMITS = {
  pageBytes: 4_194_304,
  /** Another hub sends 500 whole listings a page. */
  hubPageBytes: 16_777_216,
  pagesAPass: 2_000,
  entriesAPage: 5_000,
  newADay: 20_000,
  pauseMs: 1_000,
  passMs: 3_600_000,
  /** New addresses of a feed are probed this far apart, so that other work goes between. */
  slotMs: 2_000,
  backOffMsMax: 86_400_000,
} as const;

const DAY_MS = 86_400_000;

export function dayOf(now: Instant): number {
  return Math.floor(now / DAY_MS);
}

export function roomToday({ day, dayNames }: CrawlFeed, now: Instant): number {
  return FEED_LIMITS.newADay - (day === dayOf(now) ? dayNames : 0);
}

/** Pause after the n-th failure in a row: 1 h, 2 h, 4 h … at most a day. */
export function failurePauseMs(failures: number): number {
  return Math.min(FEED_LIMITS.passMs * 2 ** Math.min(failures - 1, 10), FEED_LIMITS.backOffMsMax);
}

/** Which protocol an address speaks, by its path; everything else is a list of addresses. */
export function feedKindOf(url: string): FeedKind {
  const { pathname } = new URL(url);
  if (/\/v0(?:\.1)?\/servers\/?$/.test(pathname)) return 'mcp-registry';
  if (/\/discovery\/resources\/?$/.test(pathname)) return 'x402';
  return /\.ndjson$/.test(pathname) ? 'hub' : 'list';
}

const PAGE_SIZE = '100';

export function feedPageUrl(feed: Pick<CrawlFeed, 'url' | 'kind' | 'cursor' | 'completeSince'>) {
  const { kind, cursor, completeSince } = feed;
  if (kind === 'hub') return cursor ?? feed.url;
  const url = new URL(feed.url);
  if (kind === 'mcp-registry') {
    url.searchParams.set('limit', PAGE_SIZE);
    url.searchParams.set('version', 'latest');
    if (completeSince !== undefined) {
      url.searchParams.set('updated_since', new Date(completeSince).toISOString());
    }
    if (cursor !== undefined) url.searchParams.set('cursor', cursor);
  } else if (kind === 'x402') {
    url.searchParams.set('limit', PAGE_SIZE);
    url.searchParams.set('offset', cursor ?? '0');
  }
  return url.toString();
}
