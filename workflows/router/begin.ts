import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { BREAKERS } from '../../db/router/calls.ts';
import type { UpstreamPayment } from '../../db/x402/upstream.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { InsufficientFunds, TransferId } from '../../domain/ledger/transfer.ts';
import { ZERO } from '../../domain/money.ts';
import { onCall, rests } from '../../domain/router/breaker.ts';
import type { Price } from '../../domain/registry/listing.ts';
import type { Candidate } from '../../domain/router/candidate.ts';
import { freshQuote } from '../../domain/router/price.ts';
import type { Receipt } from '../../domain/router/receipt.ts';
import type { Offer } from '../../domain/router/select.ts';
import type { Hub, PaymentAlong } from '../kernel/hub.ts';
import { holdAmount, readsOfHold } from '../metering/meter.ts';
import { meterOf } from './money.ts';

export interface CallUnderWay {
  readonly receipt: Receipt;
  readonly candidate: Candidate;
  /** The transfer that holds what was agreed; absent when it is free or not asked for its price. */
  readonly credit?: TransferId;
  /** It quoted another price, which is held now. */
  readonly retried: boolean;
  /** The payment on the chain, stored before it is sent. */
  readonly upstream?: { readonly payment: UpstreamPayment; readonly along: PaymentAlong };
  readonly rest: readonly Offer[];
}

/** None of the remaining candidates could be called. */
export interface NoCandidateLeft {
  readonly receipt: Receipt;
  /** The funds that the caller lacked; absent when money was not the reason. */
  readonly short?: InsufficientFunds;
}

/** The reads that turn to one of several candidates, and the turn itself. */
export interface Turn {
  readonly needs: readonly Need[];
  decide(db: Decider): CallUnderWay | NoCandidateLeft;
}

/**
 * Turns to the first candidate whose price can be held. One hold at a time is enough, since they
 * are called one after another (choices router.money).
 */
export function nextTurn(hub: Hub, receipt: Receipt, offers: readonly Offer[]): Turn {
  const tries = offers.map((offer, at) => turnTo(hub, receipt, offer, offers.slice(at + 1)));
  return {
    needs: tries.flatMap(({ needs }) => needs),
    decide(db) {
      let short: InsufficientFunds | undefined;
      for (const turn of tries) {
        const turned = turn.decide(db);
        if (turned === 'rests') continue;
        if (!('refused' in turned)) return turned;
        short ??= turned;
      }
      return { receipt, ...defined({ short }) };
    },
  };
}

interface OneTurn {
  readonly needs: readonly Need[];
  decide(db: Decider): CallUnderWay | InsufficientFunds | 'rests';
}

function turnTo(
  hub: Hub,
  receipt: Receipt,
  { candidate, due }: Offer,
  rest: readonly Offer[],
): OneTurn {
  const { endpoint, breaker } = candidate;
  const quote = freshQuote(candidate, hub.clock.now());
  const turned = reported(receipt, candidate, quote);
  const meter = meterOf(receipt);
  const mayRest = breaker.restsUntil !== undefined;
  return {
    needs: [
      ...(mayRest ? [need(BREAKERS, endpoint)] : []),
      ...(due === ZERO ? [] : readsOfHold(hub, meter, due)),
    ],
    decide(db) {
      if (mayRest && !passes(db, endpoint, hub.clock.now())) return 'rests';
      const common = { candidate, retried: false, rest };
      if (due === ZERO) return { ...common, receipt: turned };
      const held = holdAmount(db, hub, meter, due);
      if ('refused' in held) return held;
      // A price that only the index shows is asked for before anything is offered for it.
      const isAgreed = candidate.hosted !== undefined || quote !== undefined;
      const { hold, transferId: credit } = held;
      return { ...common, receipt: { ...turned, hold }, ...(isAgreed && { credit }) };
    },
  };
}

function reported(
  receipt: Receipt,
  { listingId, endpoint, listed }: Candidate,
  quote: Price | undefined,
): Receipt {
  const { listedPrice: _, quotedPrice: __, responseHash: ___, unmet: ____, ...rest } = receipt;
  return {
    ...rest,
    listingId,
    endpoint,
    responseBytes: 0,
    ...(listed !== undefined && { listedPrice: listed.amount }),
    ...(quote !== undefined && { quotedPrice: quote.amount }),
  };
}

/** Lets one call try an endpoint again after its rest: the first that checks it. */
function passes(db: Decider, endpoint: string, now: Instant): boolean {
  const stands = db.find(BREAKERS, endpoint);
  if (stands === undefined) return true;
  if (rests(stands, now)) return false;
  db.put(BREAKERS, endpoint, { endpoint, ...onCall(stands, now) });
  return true;
}
