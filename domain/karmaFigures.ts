import { COUNTERPARTY_SHARES, COUNTERPARTY_WINDOW, TEST_MAX } from './karma.ts';
import type { KarmaMoney } from './karma.ts';
import type { Returned } from './returned.ts';

/**
 * Karma with its price (choices karma.figures). Invariant: discounted karma is never above what is
 * recorded, a gain is judged once its window is over and then for good, and losses count in full.
 */
export interface Gain {
  readonly at: number;
  /** The points that the entry added, and those before any lowering. */
  readonly delta: number;
  readonly fullDelta: number;
  readonly money: KarmaMoney;
  /** The counterparty with all that are linked to it now; absent when there is none. */
  readonly party?: string;
  /** Whether the subject paid for it; else the counterparty did. */
  readonly isSpent: boolean;
  /** Whether the counterparty is linked to the subject now. */
  readonly isOwn: boolean;
  /** The reward behind it in atomic units, and the fees that the hub and judges took of it. */
  readonly reward: number;
  readonly feeBps: number;
}

/** Points that were taken off, and what the record cost; points in thousandths. */
export interface KarmaLosses {
  readonly linked: number;
  readonly circular: number;
  readonly unpaid: number;
  /** Gains without money that counted. */
  readonly unpaidKept: number;
  /** In atomic units. */
  readonly price: number;
}

export const NO_LOSSES: KarmaLosses = {
  linked: 0,
  circular: 0,
  unpaid: 0,
  unpaidKept: 0,
  price: 0,
};

/** Money that returns to its origin within this time was only shown around. */
export const RETURN_WINDOW_MS = COUNTERPARTY_WINDOW * 1_000;
/** As many gains without money count as gains of test money do. */
const UNPAID_MAX = TEST_MAX;
const POINT = 1_000;
/** Interest of money that is tied up. */
const CAPITAL_BPS_A_YEAR = 1_000;
const YEAR_MS = 365 * 86_400_000;

/**
 * Adds the losses of gains, oldest first, to `settled`. `before` are judged gains that still count
 * for the counterparty rule; `returned` has the shares of money that came back, by party.
 */
export function lossesOf(
  settled: KarmaLosses,
  { before, gains }: { readonly before: readonly Gain[]; readonly gains: readonly Gain[] },
  returned: Returned,
): KarmaLosses {
  const seen = [...before];
  let losses = settled;
  for (const gain of gains) {
    const shares = gain.isSpent ? returned.spent : returned.earned;
    losses = withGain(losses, gain, { seen, share: shares.get(gain.party ?? '') ?? 0 });
    seen.push(gain);
  }
  return losses;
}

function withGain(
  losses: KarmaLosses,
  gain: Gain,
  { seen, share }: { readonly seen: readonly Gain[]; readonly share: number },
): KarmaLosses {
  const { delta, money } = gain;
  const byLinks = Math.min(delta, gain.isOwn ? 0 : allowed(gain, seen));
  const unpaidLeft = UNPAID_MAX - losses.unpaidKept;
  const byMoney = money === 'none' ? Math.max(0, Math.min(byLinks, unpaidLeft)) : byLinks;
  const kept = money === 'real' ? byMoney * (1 - share) : byMoney;
  const isUnpaid = money === 'none';
  return {
    linked: losses.linked + (delta - byLinks) * POINT,
    unpaid: losses.unpaid + (byLinks - byMoney) * POINT,
    circular: losses.circular + Math.round((byMoney - kept) * POINT),
    unpaidKept: losses.unpaidKept + (isUnpaid ? byMoney : 0),
    price: losses.price + (money === 'real' && delta > 0 ? priceOf(gain, share) : 0),
  };
}

/** The recorded rule for one counterparty, with the links that are known now. */
function allowed({ at, fullDelta, party }: Gain, seen: readonly Gain[]): number {
  if (party === undefined || party.startsWith('hub:')) return fullDelta;
  const earlier = seen.filter(
    (other) => other.party === party && other.at > at - RETURN_WINDOW_MS,
  ).length;
  return Math.floor((fullDelta * (COUNTERPARTY_SHARES[earlier] ?? 0)) / 100);
}

/** The fees that were paid for it, and the interest of the money that stayed for a window. */
function priceOf({ reward, feeBps }: Gain, share: number): number {
  const fees = (reward * feeBps) / 10_000;
  const locked = reward * (1 - share);
  const interest = (locked * CAPITAL_BPS_A_YEAR * RETURN_WINDOW_MS) / (10_000 * YEAR_MS);
  return Math.round(fees + interest);
}

/** Discounted karma from the recorded total; `unmeasured` gains are not judged yet and count 0. */
export function discountedOf(total: number, losses: KarmaLosses, unmeasured = 0): number {
  const { linked, circular, unpaid } = losses;
  return total - unmeasured - Math.ceil((linked + circular + unpaid) / POINT);
}

export function lostPoints({ linked, circular, unpaid }: KarmaLosses) {
  const points = (milli: number): number => Math.ceil(milli / POINT);
  return { linked: points(linked), circular: points(circular), unpaid: points(unpaid) };
}
