import type { Account } from '../account.ts';
import type { HostedRoute } from '../hosted/agent.ts';
import { iso, type Instant } from '../instant.ts';
import type { JsonObject } from '../jsonObject.ts';
import type { AccessClass, Availability, ListingKind, Refunds } from '../registry/listing.ts';
import { answers } from '../registry/listing.ts';
import { rests, type Breaker } from './breaker.ts';
import { askedPrice, isFree, priceOf, tooDear } from './price.ts';
import type { Payable, PriceRefusal, Priced, Purse } from './price.ts';

/**
 * Decides who is called and in which order (choices router.candidates; Router rules 1 and 4 to 6).
 * Only measurements of the hub count, never a text of an operator.
 */
export interface Candidate extends Priced {
  /** Account of the passport that holds the listing, paid or not; absent without a holder. */
  readonly holder?: Account;
  readonly listingId: string;
  readonly name: string;
  readonly kind: ListingKind;
  readonly endpoint: string;
  readonly transport: string;
  readonly protocolVersion?: string;
  readonly tenant?: string;
  /** The agent's own name of the operation; absent when the index does not have it. */
  readonly skillId?: string;
  /** The access of the operation; of the whole listing where that was never measured. */
  readonly access: AccessClass;
  readonly availability: Availability;
  readonly uptimeBps: number;
  readonly latencyMs: number;
  readonly karma: number;
  readonly refunds: Refunds;
  /** The output schema that its paid answers keep; the one that was listed when it was picked. */
  readonly promised?: JsonObject;
  /** Texts of it address their reader. */
  readonly flagged: boolean;
  /** The guard would not call its address. */
  readonly barred?: string;
  readonly breaker: Breaker;
  /** Its route if the hub lists it; `endpoint` is then the hub's, the price its owner's word. */
  readonly hosted?: HostedRoute;
}

export type Exclusion =
  | 'private-address'
  | 'injection-flagged'
  | 'not-live'
  | 'resting'
  | 'key-needed'
  | 'closed'
  | PriceRefusal;

export interface Excluded {
  readonly excluded: Exclusion;
  readonly why: string;
}

/** Whether a candidate that the caller did not name may be called, and what it would cost. */
export function suitable(of: Candidate, purse: Purse, now: Instant): Payable | Excluded {
  const wrong = unfit(of, now);
  if (wrong !== undefined) return wrong;
  const asked = askedPrice(of, now);
  // Who holds it does not matter yet: a price above the limit is not worth the try.
  const dear = asked && tooDear(asked, purse.maxPrice);
  if (dear !== undefined) return { excluded: dear.refused, why: dear.why };
  return priceOrExclusion(of, purse, now);
}

/** A named candidate is tried whatever the index thinks of it, if it can be paid. */
export function nameable(of: Candidate, purse: Purse, now: Instant): Payable | Excluded {
  return resting(of.breaker, now) ?? priceOrExclusion(of, purse, now);
}

function priceOrExclusion(of: Candidate, purse: Purse, now: Instant): Payable | Excluded {
  const price = priceOf(of, purse, now);
  return 'due' in price ? price : { excluded: price.refused, why: price.why };
}

function unfit(of: Candidate, now: Instant): Excluded | undefined {
  if (of.barred !== undefined) return { excluded: 'private-address', why: of.barred };
  if (of.flagged) {
    const why = 'Texts of this agent give instructions to their reader; it is never picked.';
    return { excluded: 'injection-flagged', why };
  }
  if (!answers(of.availability)) {
    return { excluded: 'not-live', why: `At the last looks it was ${of.availability}.` };
  }
  const rest = resting(of.breaker, now);
  if (rest !== undefined) return rest;
  if (of.access === 'auth-required') {
    return { excluded: 'key-needed', why: 'It asks for a key, and the router sends none.' };
  }
  if (of.access === 'closed') {
    return { excluded: 'closed', why: 'It refused this operation when it was asked.' };
  }
  return undefined;
}

function resting(breaker: Breaker, now: Instant): Excluded | undefined {
  const { faults, restsUntil } = breaker;
  if (restsUntil === undefined || !rests(breaker, now)) return undefined;
  const again = `it is tried again after ${iso(restsUntil)}`;
  const why = `${faults} calls in a row got no answer from its address; ${again}.`;
  return { excluded: 'resting', why };
}

/**
 * Sorts candidates by measured access, price, liveness and standing. A price that the hub cannot
 * pay, because the listing has no holder, comes last.
 */
export function ranked(
  candidates: readonly Candidate[],
  purse: Purse,
  now: Instant,
): readonly Candidate[] {
  const keyed = candidates.map((of) => ({ of, keys: rankKeys(of, purse, now) }));
  return keyed.sort((a, b) => compare(a.keys, b.keys)).map(({ of }) => of);
}

const ALIVE: Readonly<Record<Availability, number>> = {
  live: 0,
  unstable: 1,
  unknown: 2,
  'not-speaking': 3,
  unreachable: 3,
};
const ACCESS: Readonly<Record<AccessClass, number>> = {
  open: 0,
  paid: 1,
  unknown: 2,
  'auth-required': 4,
  closed: 5,
};
const UNPAYABLE = 3;

type Key = number | bigint | string;

function rankKeys(of: Candidate, purse: Purse, now: Instant): readonly Key[] {
  const asked = askedPrice(of, now)?.amount ?? 0n;
  const unpayable = asked > 0n && isFree(of, purse) && of.access !== 'open';
  return [
    unpayable ? Math.max(UNPAYABLE, ACCESS[of.access]) : ACCESS[of.access],
    asked,
    ALIVE[of.availability],
    of.breaker.faults,
    -Math.floor(of.uptimeBps / 100),
    -of.karma,
    of.latencyMs,
    of.listingId,
  ];
}

function compare(a: readonly Key[], b: readonly Key[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined || left === right) continue;
    return left < right ? -1 : 1;
  }
  return 0;
}
