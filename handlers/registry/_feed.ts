import { feedPage, type FeedPlace } from '../../db/registry/page.ts';
import { readListings } from '../../db/registry/listings.ts';
import { instant, iso } from '../../domain/instant.ts';
import type { components } from '../../generated/types.ts';
import type { Hub } from '../../server/hub.ts';
import { presentListing } from './_present.ts';

type FeedLine = components['schemas']['FeedLine'];

/** Listings in one pass of the feed (choices pipeline.paging). */
export const LINES = 500;
/** The same for a caller that introduced itself. */
export const LINES_INTRODUCED = 2000;

/** Listings that are read at once; the next are read when the reader has taken these. */
const READ_AT_ONCE = 50;
/**
 * A look commits a little after the moment that it notes, so a listing may appear behind a cursor
 * that went on to now. A pass that reached the end leaves its cursor this far behind, and the next
 * one repeats what changed since.
 */
const SETTLED_MS = 5_000;
const BEGINNING: FeedPlace = { changedAt: instant(0), id: '' };

export interface Pass {
  readonly after?: FeedPlace;
  readonly linesMax: number;
}

/** The listings of one pass, each as it is when it is sent, and then the cursor. */
export async function* passLines(hub: Hub, pass: Pass): AsyncGenerator<FeedLine> {
  let count = 0;
  let last = pass.after;
  // Where the next pass goes on when this one reaches the end.
  let settled = pass.after;
  const settledBefore = hub.clock.now() - SETTLED_MS;
  let complete = false;
  while (count < pass.linesMax && !complete) {
    const wanted = Math.min(READ_AT_ONCE, pass.linesMax - count);
    const after = last ?? BEGINNING;
    const { places, page } = await hub.store.read(async (db) => {
      // One more than is sent tells whether there are more.
      const next = await feedPage(db, after, wanted + 1);
      const ids = next.slice(0, wanted).map(({ id }) => id);
      return { places: next, page: await readListings(db, ids) };
    });
    const now = hub.clock.now();
    for (const full of page) yield { line: 'agent', agent: presentListing(full, now) };
    count += page.length;
    const sent = places.slice(0, wanted);
    last = sent.at(-1) ?? last;
    settled = sent.filter(({ changedAt }) => changedAt <= settledBefore).at(-1) ?? settled;
    complete = places.length <= wanted;
  }
  const cursor = complete ? settled : last;
  yield {
    line: 'cursor',
    count,
    complete,
    ...(isListing(cursor) && { afterSeenAt: iso(cursor.changedAt), afterId: cursor.id }),
    next: nextAddress(hub, cursor),
  };
}

/** A pass that began at a moment has no listing behind it yet. */
function isListing(place: FeedPlace | undefined): place is FeedPlace {
  return place !== undefined && place.id !== '';
}

function nextAddress({ settings }: Hub, cursor: FeedPlace | undefined): string {
  const feed = `${settings.baseUrl}/api/v1/agents.ndjson`;
  if (cursor === undefined) return feed;
  const at = iso(cursor.changedAt);
  const query = new URLSearchParams(
    isListing(cursor) ? { afterSeenAt: at, afterId: cursor.id } : { since: at },
  );
  return `${feed}?${query.toString()}`;
}
