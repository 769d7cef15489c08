import {
  knownProposals,
  lockHints,
  queueOrigins,
  saveProposals,
  type Proposal,
  type QueuedOrigin,
} from '../../db/registry/crawlProposals.ts';
import type { Writer } from '../../db/store.ts';
import { isHostedAddress } from '../../domain/hosted/agent.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { FEED_LIMITS, type CrawlFeed } from '../../domain/registry/crawlFeed.ts';
import type { FeedEntry } from '../../domain/registry/feedEntry.ts';
import type { SeedUrl } from '../../domain/registry/target.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { CRAWL_TOPIC } from '../topics.ts';

/** What one page of a feed changed. */
export interface Proposed {
  readonly proposed: number;
  readonly refused: number;
  /** Addresses that the feed had not proposed before. */
  readonly fresh: number;
  /** Addresses were left over because the day's cap is reached: the page is read again. */
  readonly isFull: boolean;
  readonly slotAt: Instant;
  readonly refusal?: string;
}

interface Given {
  readonly feed: CrawlFeed;
  readonly entries: readonly FeedEntry[];
  /** New addresses that the feed may still queue today. */
  readonly room: number;
  readonly now: Instant;
}

interface Address extends FeedEntry {
  readonly origin: string;
  readonly host: string;
}

/**
 * Stores who proposed what and queues the addresses that the crawler does not have. Each new one
 * gets a moment of its own, so that a feed which grows by thousands delays nothing else.
 */
export async function proposePage(hub: Hub, tx: Writer, given: Given): Promise<Proposed> {
  const { feed, entries, room, now } = given;
  const { addresses, refused, refusal } = judged(hub, entries);
  const origins = [...new Set(addresses.map(({ origin }) => origin))].sort();
  const urls = addresses.map(({ url }) => url);
  const { known, ofOrigin } = await knownProposals(tx, feed.url, { urls, origins });
  const hints = new Map(await lockHints(tx, origins));
  const counts = new Map(ofOrigin);
  const proposals: Proposal[] = [];
  const queue = new Map<string, QueuedOrigin>();
  let slotAt = instant(Math.max(feed.slotAt, now));
  let fresh = 0;
  let over = 0;
  let isFull = false;
  for (const address of addresses) {
    const { url, origin, host } = address;
    const isKnown = known.has(url);
    const count = counts.get(origin) ?? 0;
    if (!isKnown && count >= FEED_LIMITS.perOrigin) {
      over += 1;
      continue;
    }
    if (!isKnown && fresh >= room) {
      isFull = true;
      continue;
    }
    if (!isKnown) {
      fresh += 1;
      counts.set(origin, count + 1);
    }
    proposals.push(proposalOf(feed.url, address, now));
    const before = hints.get(origin);
    const after = withProposed(before ?? [], address);
    if (before !== undefined && after === before) continue;
    hints.set(origin, after);
    if (!queue.has(origin)) slotAt = instant(slotAt + FEED_LIMITS.slotMs);
    queue.set(origin, { origin, host, hints: after, at: queue.get(origin)?.at ?? slotAt });
  }
  await saveProposals(tx, proposals);
  await queueOrigins(tx, [...queue.values()], now);
  if (queue.size > 0) tx.publish(CRAWL_TOPIC);
  const capped = `It has more than ${FEED_LIMITS.perOrigin} addresses of one origin.`;
  const why = over > 0 ? capped : refusal;
  return {
    proposed: proposals.length,
    refused: refused + over,
    fresh,
    isFull,
    slotAt,
    ...(why !== undefined && { refusal: why }),
  };
}

/** The addresses that the hub may call, each once. */
function judged(hub: Hub, entries: readonly FeedEntry[]) {
  const addresses = new Map<string, Address>();
  let refused = 0;
  let refusal: string | undefined;
  for (const entry of entries) {
    const verdict = hub.outbound.judge(entry.url);
    if (!verdict.ok) {
      refused += 1;
      refusal = verdict.message;
    } else if (isHostedAddress(hub.settings.baseUrl, verdict.target.url)) {
      refused += 1;
      refusal = 'It is a hosted agent of this hub, which is listed already.';
    } else {
      const { url, origin, authority } = verdict.target;
      addresses.set(url, { ...entry, url, origin, host: authority });
    }
  }
  return { addresses: [...addresses.values()], refused, refusal };
}

function proposalOf(feed: string, { url, origin, kind, name }: Address, now: Instant): Proposal {
  return {
    feed,
    url,
    origin,
    firstAt: now,
    lastAt: now,
    ...(kind !== undefined && { kind }),
    ...(name !== undefined && { name }),
  };
}

/** Behind what was submitted, and only while there is room: a feed pushes no address out. */
function withProposed(hints: readonly SeedUrl[], { url, kind }: FeedEntry): readonly SeedUrl[] {
  if (hints.length >= FEED_LIMITS.perOrigin || hints.some((hint) => hint.url === url)) return hints;
  return [...hints, { url, ...(kind !== undefined && { kind }) }];
}
