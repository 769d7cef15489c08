import type { Tally } from '../../../db/router/attempts.ts';
import { presentSettlement } from '../../../domain/router/attestation.ts';
import type { Review } from '../../../domain/router/review.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

/** Parts that reviews, reputation and reliability share: the listing, its holder, its figures. */

export function presentReview(review: Review): Schemas['AgentReview'] {
  return {
    id: review.id,
    agentId: review.listingId,
    reviewer: review.reviewer,
    rating: review.rating,
    transferId: review.settlement.transferId,
    settlement: presentSettlement(review),
    at: review.at,
  };
}

export function presentTally(tally: Tally): Schemas['CallTally'] {
  const { ok, failed, timedOut, brokenRules, latencyMs } = tally;
  const answered = ok + failed + timedOut;
  return {
    calls: tally.calls,
    ok,
    failed,
    timedOut,
    quoted: tally.quoted,
    keyNeeded: tally.keyNeeded,
    callers: tally.callers,
    ...(answered > 0 && { okRate: share(ok, answered) }),
    latencyMs,
    ...(brokenRules > 0 && { brokenRules }),
  };
}

/** Returns a share with four digits; more digits would mean nothing. */
export function share(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 10_000;
}
