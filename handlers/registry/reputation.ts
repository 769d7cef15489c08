import { measured } from '../../db/router/attempts.ts';
import { disputesOf, workOf, type DisputeRecord, type WorkRecord } from '../../db/router/record.ts';
import { ratingsOf, reviewPage } from '../../db/router/reviews.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { instant } from '../../domain/instant.ts';
import { tierOf } from '../../domain/karma.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentStanding } from '../passport/present/standing.ts';
import { presentReview, presentTally, share } from './present/reviews.ts';
import { holderOf, listingOf } from '../../workflows/registry/found.ts';

const LATEST_MAX = 20;

export const reputation: Handler<'registry.reputation'> = async ({ path }, hub) => ({
  status: 200,
  body: await hub.store.read(async (db) => {
    const listing = await listingOf(db, path.id);
    const owner = await holderOf(db, listing);
    const { passportKeyId } = listing;
    const { tally } = await measured(db, listing.id, instant(0));
    return {
      agentId: listing.id,
      ...defined({ owner, passportKeyId }),
      karma:
        owner === undefined
          ? { total: listing.karma, tier: tierOf(listing.karma) }
          : await presentStanding(db, owner),
      calls: presentTally(tally),
      work: await workAs(db, owner),
      disputes: owner === undefined ? NO_DISPUTES : await disputesOf(db, owner),
      reviews: await reviewsOf(db, listing.id),
    };
  }),
});

const NO_WORK: WorkRecord = { delivered: 0, accepted: 0, refused: 0, lapsed: 0 };
const NO_DISPUTES: DisputeRecord = { open: 0, won: 0, lost: 0, split: 0 };

async function workAs(
  db: Reader,
  owner: Account | undefined,
): Promise<Schemas['Reputation']['work']> {
  const work = owner === undefined ? NO_WORK : await workOf(db, owner);
  const judged = work.accepted + work.refused;
  return { ...work, ...(judged > 0 && { acceptanceRate: share(work.accepted, judged) }) };
}

async function reviewsOf(db: Reader, listingId: string): Promise<Schemas['Reputation']['reviews']> {
  const { byRating, reviewers } = await ratingsOf(db, listingId);
  const { reviews } = await reviewPage(db, listingId, { limit: LATEST_MAX });
  const count = byRating.reduce((sum, given) => sum + given, 0);
  const stars = byRating.reduce((sum, given, index) => sum + given * (index + 1), 0);
  return {
    count,
    reviewers,
    ...(count > 0 && { average: share(stars, count) }),
    byRating,
    latest: reviews.map(presentReview),
  };
}
