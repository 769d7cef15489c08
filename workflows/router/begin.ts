import { breakerOf, saveBreaker } from '../../db/router/memory.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import type { InsufficientFunds, TransferId } from '../../domain/ledger/transfer.ts';
import { ZERO } from '../../domain/money.ts';
import { onCall, rests } from '../../domain/router/breaker.ts';
import type { Price } from '../../domain/registry/listing.ts';
import type { Candidate } from '../../domain/router/candidate.ts';
import { freshQuote } from '../../domain/router/price.ts';
import type { Receipt } from '../../domain/router/receipt.ts';
import type { Offer } from '../../domain/router/select.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { holdPrice } from './money.ts';

/** One candidate that is being called, with its price held. */
export interface CallUnderWay {
  readonly receipt: Receipt;
  readonly candidate: Candidate;
  /** The transfer that holds what was agreed; absent when it is free or not asked for its price. */
  readonly credit?: TransferId;
  /** It quoted another price, which is held now. */
  readonly retried: boolean;
  /** Who comes after it. */
  readonly rest: readonly Offer[];
}

/** Nobody of those that were left could be called. */
export interface NoCandidateLeft {
  readonly receipt: Receipt;
  /** What the caller could not pay; absent when money was not the reason. */
  readonly short?: InsufficientFunds;
}

/**
 * Turns to the first candidate whose price can be held. One hold at a time is enough, since they
 * are called one after another (choices router.money).
 */
export async function beginNext(
  tx: Writer,
  hub: Hub,
  receipt: Receipt,
  offers: readonly Offer[],
): Promise<CallUnderWay | NoCandidateLeft> {
  let short: InsufficientFunds | undefined;
  for (const [index, { candidate, due }] of offers.entries()) {
    if (!(await passes(tx, hub, candidate))) continue;
    const rest = offers.slice(index + 1);
    const quote = freshQuote(candidate, hub.clock.now());
    const turned = turnTo(receipt, candidate, quote);
    if (due === ZERO) return { receipt: turned, candidate, retried: false, rest };
    const held = await holdPrice(tx, hub, turned, due);
    if (!('refused' in held)) {
      const { credit } = held;
      // A price that only the index shows is asked for before anything is offered for it.
      const isAgreed = candidate.hosted !== undefined || quote !== undefined;
      return {
        receipt: held.receipt,
        candidate,
        retried: false,
        rest,
        ...(isAgreed && { credit }),
      };
    }
    short ??= held;
  }
  return { receipt, ...defined({ short }) };
}

function turnTo(
  receipt: Receipt,
  { listingId, endpoint, listed }: Candidate,
  quote: Price | undefined,
): Receipt {
  const { listedPrice: _, quotedPrice: __, responseHash: ___, ...rest } = receipt;
  return {
    ...rest,
    listingId,
    endpoint,
    responseBytes: 0,
    ...(listed !== undefined && { listedPrice: listed.amount }),
    ...(quote !== undefined && { quotedPrice: quote.amount }),
  };
}

/** After a rest one call tries an endpoint again, whoever looked at it first. */
async function passes(tx: Writer, hub: Hub, { endpoint, breaker }: Candidate): Promise<boolean> {
  if (breaker.restsUntil === undefined) return true;
  const [now, stands] = [hub.clock.now(), await breakerOf(tx, endpoint)];
  if (rests(stands, now)) return false;
  await saveBreaker(tx, endpoint, onCall(stands, now));
  return true;
}
