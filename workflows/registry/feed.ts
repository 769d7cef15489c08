import { feedPage, type FeedPlace } from '../../db/registry/page.ts';
import { readListings, type FullListing } from '../../db/registry/listings.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import type { Hub } from '../kernel/hub.ts';

/** Listings in one pass of the feed (choices pipeline.paging). */
export const LINES = 500;
/** The same for a caller that introduced itself. */
export const LINES_INTRODUCED = 2000;

/** Listings that are read at once; the next are read when the reader has taken these. */
const READ_AT_ONCE = 50;
/**
 * A look commits shortly after the moment it notes, so listings may appear behind a cursor. A
 * finished pass leaves its cursor this far back, and the next one repeats what changed.
 */
const SETTLED_MS = 5_000;
const BEGINNING: FeedPlace = { changedAt: instant(0), id: '' };

export interface Pass {
  readonly after?: FeedPlace;
  readonly linesMax: number;
}

/** Listings of a pass, a few at a time, each as it is when it is read. */
export interface FeedBatch {
  readonly kind: 'listings';
  readonly listings: readonly FullListing[];
  readonly at: Instant;
}

/** Where the next pass goes on; `place` is absent when there was nothing yet. */
export interface FeedEnd {
  readonly kind: 'end';
  readonly count: number;
  readonly complete: boolean;
  readonly place: FeedPlace | undefined;
}

/** The listings of one pass, and then its end. The pace of the reader is the pace. */
export async function* feedPass(hub: Hub, pass: Pass): AsyncGenerator<FeedBatch | FeedEnd> {
  let count = 0;
  let last = pass.after;
  // Where the next pass goes on when this one reaches the end.
  let settled = pass.after;
  const settledBefore = hub.clock.now() - SETTLED_MS;
  let complete = false;
  while (count < pass.linesMax && !complete) {
    const wanted = Math.min(READ_AT_ONCE, pass.linesMax - count);
    const after = last ?? BEGINNING;
    const { places, listings } = await hub.store.read(async (db) => {
      // One row beyond the page shows whether there are more.
      const next = await feedPage(db, after, wanted + 1);
      const ids = next.slice(0, wanted).map(({ id }) => id);
      return { places: next, listings: await readListings(db, ids) };
    });
    yield { kind: 'listings', listings, at: hub.clock.now() };
    count += listings.length;
    const sent = places.slice(0, wanted);
    last = sent.at(-1) ?? last;
    settled = sent.filter(({ changedAt }) => changedAt <= settledBefore).at(-1) ?? settled;
    complete = places.length <= wanted;
  }
  yield { kind: 'end', count, complete, place: complete ? settled : last };
}
