import { answeredCounts } from '../../db/registry/addresses.ts';
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
import type { FeedEntry, FeedPage } from '../../domain/registry/feedEntry.ts';
import type { SeedUrl } from '../../domain/registry/target.ts';
import { addressesOf } from '../../domain/registry/turns.ts';
import type { Hub } from '../kernel/hub.ts';
import { inTurns } from '../kernel/turns.ts';
import { CRAWL_TOPIC } from '../topics.ts';
import { proposePackages } from './proposePackages.ts';
import { defined } from '../../domain/defined.ts';

export interface Proposed {
  readonly proposed: number;
  readonly refused: number;
  /** Addresses and packages that the feed had not proposed before, and addresses alone. */
  readonly fresh: number;
  readonly names: number;
  /** Addresses were left over because the day's cap is reached: the page is read again. */
  readonly isFull: boolean;
  readonly slotAt: Instant;
  readonly packages: number;
  readonly refusal?: string;
}

interface Given {
  readonly feed: CrawlFeed;
  readonly judged: Judged;
  readonly page: Pick<FeedPage, 'packages' | 'gone'>;
  /** New addresses that the feed may still queue today. */
  readonly room: number;
  readonly now: Instant;
}

interface Address extends FeedEntry {
  readonly origin: string;
  readonly host: string;
}

/** Rows that are written in one turn of the event loop. */
const PROPOSED_AT_ONCE = 250;

/** Stores proposals and queues new addresses, each at its own moment, so no feed delays others. */
export async function proposePage(tx: Writer, given: Given): Promise<Proposed> {
  const { feed, judged, page, room, now } = given;
  const { addresses, refused, refusal } = judged;
  const own = await proposePackages(tx, page, { feed: feed.url, room, now });
  const sum = { proposed: 0, over: 0, fresh: own.fresh, isFull: own.isFull };
  let slotAt = instant(Math.max(feed.slotAt, now));
  for (let from = 0; from < addresses.length; from += PROPOSED_AT_ONCE) {
    const some = addresses.slice(from, from + PROPOSED_AT_ONCE);
    const done = await proposeSome(tx, some, {
      feed: feed.url,
      room: room - sum.fresh,
      now,
      slotAt,
    });
    sum.proposed += done.proposed;
    sum.over += done.over;
    sum.fresh += done.fresh;
    sum.isFull ||= done.isFull;
    slotAt = done.slotAt;
  }
  if (sum.fresh > own.fresh) tx.publish(CRAWL_TOPIC);
  const capped = `It has more than ${addressesOf(0)} addresses of one origin, of which too few answered.`;
  const why = sum.over > 0 ? capped : (refusal ?? own.refusal);
  const { proposed, over, fresh, isFull } = sum;
  return {
    proposed,
    refused: refused + over + own.refused,
    packages: own.listed,
    fresh,
    names: fresh - own.fresh,
    isFull,
    slotAt,
    ...(why !== undefined && { refusal: why }),
  };
}

interface Place {
  readonly feed: string;
  readonly room: number;
  readonly now: Instant;
  readonly slotAt: Instant;
}

async function proposeSome(tx: Writer, addresses: readonly Address[], place: Place) {
  const { feed, room, now } = place;
  const origins = [...new Set(addresses.map(({ origin }) => origin))];
  const urls = addresses.map(({ url }) => url);
  const { known, ofOrigin } = await knownProposals(tx, feed, { urls, origins });
  const hints = new Map(await lockHints(tx, origins));
  const counts = new Map(ofOrigin);
  const answered = await answeredCounts(tx, origins);
  const proposals: Proposal[] = [];
  const queue = new Map<string, QueuedOrigin>();
  let { slotAt } = place;
  let fresh = 0;
  let over = 0;
  let isFull = false;
  for (const address of addresses) {
    const { url, origin, host } = address;
    const isKnown = known.has(url);
    const count = counts.get(origin) ?? 0;
    const most = addressesOf(answered.get(origin) ?? 0);
    if (!isKnown && count >= most) {
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
    proposals.push(proposalOf(feed, address, now));
    const before = hints.get(origin);
    const after = withProposed(before ?? [], address, most);
    if (before !== undefined && after === before) continue;
    hints.set(origin, after);
    if (!queue.has(origin)) slotAt = instant(slotAt + FEED_LIMITS.slotMs);
    queue.set(origin, { origin, host, hints: after, at: queue.get(origin)?.at ?? slotAt });
  }
  await saveProposals(tx, proposals);
  await queueOrigins(tx, [...queue.values()], now);
  return { proposed: proposals.length, over, fresh, isFull, slotAt };
}

/** Which addresses of a page the hub may call. */
export interface Judged {
  /** Each once, by origin, which is the order in which their rows are locked. */
  readonly addresses: readonly Address[];
  readonly refused: number;
  readonly refusal: string | undefined;
}

const JUDGED_AT_ONCE = 100;

/** The addresses that the hub may call, a few in each turn of the event loop. */
export function judgeEntries(hub: Hub, entries: readonly FeedEntry[]): Promise<Judged> {
  return inTurns(judging(hub, entries));
}

function* judging(hub: Hub, entries: readonly FeedEntry[]): Generator<undefined, Judged> {
  const addresses = new Map<string, Address>();
  let refused = 0;
  let refusal: string | undefined;
  for (const [place, entry] of entries.entries()) {
    if (place % JUDGED_AT_ONCE === 0) yield undefined;
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
  const byOrigin = (a: Address, b: Address): number =>
    a.origin < b.origin ? -1 : Number(a.origin > b.origin);
  return { addresses: [...addresses.values()].sort(byOrigin), refused, refusal };
}

function proposalOf(feed: string, { url, origin, kind, name }: Address, now: Instant): Proposal {
  return {
    feed,
    url,
    origin,
    firstAt: now,
    lastAt: now,
    ...defined({ kind, name }),
  };
}

/** Behind what was submitted, and only while there is room: a feed pushes no address out. */
function withProposed(
  hints: readonly SeedUrl[],
  { url, kind }: FeedEntry,
  most: number,
): readonly SeedUrl[] {
  if (hints.length >= most || hints.some((hint) => hint.url === url)) return hints;
  return [...hints, { url, ...defined({ kind }) }];
}
