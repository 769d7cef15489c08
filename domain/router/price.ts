import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import { ZERO, type Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import type { Price, Refunds } from '../registry/listing.ts';

/**
 * The price of a call (choices router.money, Router rules 2, 3, 8). Invariant: never above
 * `maxPrice` or in another network's money; without a holder it is called free.
 */
interface Quote {
  readonly price: Price;
  readonly at: Instant;
}

export interface Purse {
  readonly caller: Account;
  readonly network: NetworkId;
  /** Absent means free tools only. */
  readonly maxPrice?: Atomic;
  /** The digest of the rule that came along: only a holder that refunds by such rules is paid. */
  readonly acceptHash?: string;
}

export interface Priced {
  readonly listed?: Price;
  /** The last price that the agent quoted to a call of the hub. */
  readonly quoted?: Quote;
  /** Who a priced call pays; absent when no account holds it by a domain or as host. */
  readonly owner?: Account;
  readonly refunds: Refunds;
}

export type PriceRefusal = 'over-max-price' | 'other-money' | 'no-refund';
export interface NotPayable {
  readonly refused: PriceRefusal;
  readonly why: string;
}
/** `due` is what is held before the call and charged when it was served. */
export interface Payable {
  readonly due: Atomic;
}

/** A live quote counts this long, then the listed price again (choices router.money). */
const QUOTE_FRESH_MS = 60_000;

/** Names under which quotes mean the money of each of the hub's networks. */
const QUOTED_AS: Readonly<Record<NetworkId, readonly string[]>> = {
  sandbox: ['sandbox', 'base-sepolia', 'eip155:84532'],
  base: ['base', 'eip155:8453'],
  play: ['play'],
};

/** The live quote that is still believed; undefined when the agent has to be asked. */
export function freshQuote({ quoted }: Priced, now: Instant): Price | undefined {
  return quoted !== undefined && now - quoted.at < QUOTE_FRESH_MS ? quoted.price : undefined;
}

/** The price that counts now; undefined when the agent never named one. */
export function askedPrice(of: Priced, now: Instant): Price | undefined {
  return freshQuote(of, now) ?? of.listed;
}

export function priceOf(of: Priced, purse: Purse, now: Instant): Payable | NotPayable {
  const asked = askedPrice(of, now);
  if (asked === undefined || isFree(of, purse)) return { due: ZERO };
  return payable(asked, purse, of.refunds);
}

/** Without an account to credit but the caller, a call moves no money (Router rule 8). */
export function isFree({ owner }: Priced, { caller }: Purse): boolean {
  return owner === undefined || owner === caller;
}

export function payable(asked: Price, purse: Purse, refunds: Refunds): Payable | NotPayable {
  const { network, maxPrice, acceptHash } = purse;
  if (asked.amount === ZERO) return { due: ZERO };
  const dear = tooDear(asked, maxPrice);
  if (dear !== undefined) return dear;
  if (asked.network !== undefined && !QUOTED_AS[network].includes(asked.network)) {
    const why = `It asks for money on ${asked.network}; this call pays on ${network}.`;
    return { refused: 'other-money', why };
  }
  if (acceptHash !== undefined && refunds !== 'acceptance') {
    const why = 'It takes money for answers that break the rule of a caller; send none to pay it.';
    return { refused: 'no-refund', why };
  }
  return { due: asked.amount };
}

export function tooDear(asked: Price, maxPrice: Atomic | undefined): NotPayable | undefined {
  if (asked.amount <= (maxPrice ?? ZERO)) return undefined;
  const limit = maxPrice === undefined ? 'no maxPrice was given' : `maxPrice is ${maxPrice}`;
  const why = `It asks ${asked.amount} atomic ${asked.asset}; ${limit}.`;
  return { refused: 'over-max-price', why };
}
