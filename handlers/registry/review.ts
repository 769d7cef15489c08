import { insertReview, settlementOf } from '../../db/router/reviews.ts';
import type { Writer } from '../../db/store.ts';
import { linked } from '../../db/tasks/links.ts';
import { mayReview, REVIEW_AMOUNT_MIN, type Review } from '../../domain/router/review.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { recordInside } from '../../workflows/karma/record.ts';
import { presentReview } from './present/reviews.ts';
import { holderOf, listingOf } from '../../workflows/registry/found.ts';

const GOOD_MIN = 4;
const BAD_MAX = 2;

/** One rating per payment to the holder (choices registry.reviews); it also moves karma. */
export const review: Handler<'registry.review'> = async (call, hub) => {
  const { path, body } = call;
  const { reviewer, rating, transferId } = body;
  const made = async (tx: Writer): Promise<Review> => {
    const listing = await listingOf(tx, path.id);
    const [listingId, holder] = [listing.id, await holderOf(tx, listing)];
    const about = {
      listingId,
      holder,
      reviewer,
      linked: holder !== undefined && (await linked(tx, holder, reviewer)),
    };
    const paid =
      holder === undefined
        ? undefined
        : await settlementOf(tx, transferId, { payer: reviewer, payee: holder });
    const settlement = mayReview(paid, about);
    if ('refused' in settlement) {
      return refuse(settlement.refused, {
        error: settlement.why,
        hint: `GET /api/v1/wallet/${reviewer}/statement shows what you paid and to whom; at least ${REVIEW_AMOUNT_MIN} atomic license a review.`,
        field: 'body.transferId',
      });
    }
    const [id, at] = [hub.ids.uuid(), hub.clock.now()];
    const written = { id, listingId, reviewer, rating, settlement, at };
    if (!(await insertReview(tx, written))) {
      refuse('already-reviewed', {
        error: 'This settlement has licensed a review already.',
        hint: `GET /api/v1/agents/${listingId}/reputation shows it; another payment licenses another one.`,
        field: 'body.transferId',
      });
    }
    const { payee: subject, network } = settlement;
    const reason = rating >= GOOD_MIN ? 'review.good' : 'review.bad';
    const cause = { subject, reason, ref: { kind: 'review', id }, occasion: id } as const;
    if (rating >= GOOD_MIN || rating <= BAD_MAX) {
      await recordInside(tx, hub, [{ ...cause, counterparty: reviewer }], { at, network });
    }
    return written;
  };
  return { status: 200, body: await hub.once(call, async (tx) => presentReview(await made(tx))) };
};
