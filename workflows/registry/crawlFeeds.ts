import { addFeed, claimFeeds, isFeedDue, saveFeed } from '../../db/registry/crawlFeeds.ts';
import { defined } from '../../domain/defined.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import {
  failurePauseMs,
  feedKindOf,
  feedPageUrl,
  FEED_LIMITS,
  NO_COUNTS,
  roomToday,
  dayOf,
  type CrawlFeed,
} from '../../domain/registry/crawlFeed.ts';
import type { FeedFault, FeedPage } from '../../domain/registry/feedEntry.ts';
import { cut } from '../../domain/text.ts';
import type { Hub } from '../kernel/hub.ts';
import { logFailure } from '../kernel/logFailure.ts';
import { perHub } from '../kernel/perHub.ts';
import { judgeEntries, proposePage, type Proposed } from './proposePage.ts';

/**
 * Reads feeds page by page (choices registry.crawl-feeds): at most one page a second of each, and
 * the place of a pass is stored with what its page proposed, so a restart goes on where it was.
 */
const FEEDS_AT_ONCE = 8;
const CLAIM_MS = 120_000;
const PAGE_MS_MAX = 60_000;
const FAULT_LENGTH_MAX = 400;
/** After so many in a row a pass no longer goes on from its cursor. */
const FAILURES_MAX = 3;

/** Feeds of the settings are added once a process. */
const configured = perHub((hub) =>
  hub.store.write(async (tx) => {
    for (const url of hub.settings.crawlFeeds) {
      await addFeed(tx, url, feedKindOf(url), hub.clock.now());
    }
  }),
);

/** Reads a page of every feed that is due; answers when the next page is. */
export async function readFeeds(hub: Hub): Promise<number | undefined> {
  if (hub.settings.crawlFeeds.length > 0) await configured(hub);
  const claim = hub.ids.uuid();
  const now = hub.clock.now();
  if (!(await hub.store.readOne((db) => isFeedDue(db, now)))) return undefined;
  const until = instant(now + CLAIM_MS);
  const due = await hub.store.write((tx) =>
    claimFeeds(tx, { claim, until, now, limit: FEEDS_AT_ONCE }),
  );
  const goOn = await Promise.all(
    due.map(async (feed) => {
      try {
        return await readPage(hub, feed, claim);
      } catch (error) {
        // One feed must not stop the others; its claim expires, and its page is read again.
        logFailure(hub.log, error, 'a crawl feed failed', { feed: feed.url });
        return false;
      }
    }),
  );
  return goOn.includes(true) ? FEED_LIMITS.pauseMs : undefined;
}

/** True when the pass goes on with another page. */
async function readPage(hub: Hub, feed: CrawlFeed, claim: string): Promise<boolean> {
  const now = hub.clock.now();
  const begun = begin(feed, now);
  const room = roomToday(feed, now);
  if (room <= 0) {
    await hub.store.write((tx) => saveFeed(tx, { ...begun, ...untilTomorrow(now) }, claim));
    return false;
  }
  const answer = await fetchPage(hub, begun);
  if ('fault' in answer) return failedPage(hub, begun, claim, answer);
  const judged = await judgeEntries(hub, answer.page.entries);
  return hub.store.write(async (tx) => {
    const done = await proposePage(tx, { feed: begun, judged, page: answer.page, room, now });
    const saved = { ...after(begun, answer, done, now), dayNames: dayNames(room, done) };
    // The work of another process in the meantime counts, and this page is taken back.
    if (!(await saveFeed(tx, saved, claim))) throw new Error('the feed was claimed again');
    return saved.passStartedAt !== undefined && !done.isFull;
  });
}

interface Begun extends CrawlFeed {
  readonly passStartedAt: Instant;
}

function begin(feed: CrawlFeed, now: Instant): Begun {
  const { passStartedAt } = feed;
  return passStartedAt === undefined
    ? { ...feed, passStartedAt: now, pass: NO_COUNTS }
    : { ...feed, passStartedAt };
}

function dayNames(room: number, { fresh }: Proposed): number {
  return FEED_LIMITS.newADay - room + fresh;
}

/** The feed behind a page: in the middle of its pass, at its end, or waiting for another day. */
function after(begun: Begun, { page, etag }: Read, done: Proposed, now: Instant): CrawlFeed {
  const { cursor, fault: _fault, etag: _etag, passStartedAt, ...kept } = begun;
  const pages = begun.pass.pages + 1;
  const read = {
    ...kept,
    ...(done.refusal !== undefined && { refusal: done.refusal }),
    pass: {
      pages,
      proposed: begun.pass.proposed + done.proposed,
      skipped: begun.pass.skipped + page.skipped,
      refused: begun.pass.refused + done.refused,
      packages: (begun.pass.packages ?? 0) + done.packages,
    },
    failures: 0,
    names: begun.names + done.names,
    day: dayOf(now),
    slotAt: done.slotAt,
    lastPageAt: now,
  };
  if (done.isFull) return { ...read, ...defined({ cursor }), passStartedAt, ...untilTomorrow(now) };
  // A feed without an end is cut off; what it proposed until then counts.
  const isCut = page.next !== undefined && pages >= FEED_LIMITS.pagesAPass;
  if (page.next !== undefined && !isCut) {
    const nextPageAt = instant(now + FEED_LIMITS.pauseMs);
    return { ...read, cursor: page.next, passStartedAt, nextPageAt };
  }
  const fault = isCut ? `It was cut off after ${FEED_LIMITS.pagesAPass} pages.` : undefined;
  return {
    ...read,
    ...defined({ cursor: page.resume, etag, fault }),
    // After a pass that was cut off everything is asked for again.
    ...(!isCut && { completeSince: passStartedAt }),
    lastPassAt: now,
    nextPageAt: instant(Math.max(passStartedAt + FEED_LIMITS.passMs, now + FEED_LIMITS.pauseMs)),
  };
}

/** The cap of a day is reached: the same page is read again tomorrow. */
function untilTomorrow(now: Instant): Pick<CrawlFeed, 'nextPageAt' | 'fault'> {
  return {
    nextPageAt: instant((dayOf(now) + 1) * 86_400_000),
    fault: `It proposed ${FEED_LIMITS.newADay} new addresses today; it goes on tomorrow.`,
  };
}

interface Failure extends FeedFault {
  readonly retryAfterSeconds?: number;
}

async function failedPage(
  hub: Hub,
  feed: CrawlFeed,
  claim: string,
  { fault, retryAfterSeconds = 0 }: Failure,
): Promise<false> {
  const now = hub.clock.now();
  const failures = feed.failures + 1;
  const pauseMs = Math.min(
    Math.max(failurePauseMs(failures), retryAfterSeconds * 1000),
    FEED_LIMITS.backOffMsMax,
  );
  // A cursor may expire; then the pass starts again.
  const { cursor, passStartedAt, ...kept } = feed;
  const goesOn = failures < FAILURES_MAX;
  const failed = {
    ...kept,
    ...(goesOn && defined({ cursor, passStartedAt })),
    failures,
    fault: cut(fault, FAULT_LENGTH_MAX),
    lastPageAt: now,
    nextPageAt: instant(now + pauseMs),
  };
  await hub.store.write((tx) => saveFeed(tx, failed, claim));
  return false;
}

interface Read {
  readonly page: FeedPage;
  readonly etag?: string;
}

async function fetchPage(hub: Hub, feed: CrawlFeed): Promise<Read | Failure> {
  const url = feedPageUrl(feed);
  const { kind, etag, cursor } = feed;
  const bytesMax = kind === 'hub' ? FEED_LIMITS.hubPageBytes : FEED_LIMITS.pageBytes;
  const answer = await hub.outbound.stream({
    url,
    headers: {
      accept: 'application/json, application/x-ndjson, application/xml, text/plain;q=0.9',
      ...(kind === 'list' && etag !== undefined && { 'if-none-match': etag }),
    },
    limits: { totalMs: PAGE_MS_MAX, firstByteMs: PAGE_MS_MAX / 2, bytesMax },
  });
  if (answer.kind === 'failed') return { fault: answer.message };
  const { status, headers, body } = answer;
  if (status !== 200) body.cancel();
  if (status === 304) return { page: { entries: [], skipped: 0 }, ...(etag && { etag }) };
  if (status !== 200) {
    const retryAfter = Number(headers.get('retry-after')?.[0]);
    return {
      fault: `It answered ${status}.`,
      ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
    };
  }
  const page = await hub.feedReader.read({ kind, url, ...defined({ cursor }) }, body);
  if ('kind' in page) return { fault: page.message };
  if ('fault' in page) return page;
  const tag = headers.get('etag')?.[0];
  return { page, ...(tag !== undefined && tag.length <= 200 && { etag: tag }) };
}
