import type { JsonObject } from '../jsonObject.ts';
import type { Instant } from '../instant.ts';
import type { Price } from './listing.ts';

/** A price answered over x402 (choices registry.prices); never what a text promises. */
export interface LiveQuote {
  readonly kind: 'http' | 'mcp' | 'a2a';
  readonly endpoint: string;
  readonly origin: string;
  /** Undefined for the endpoint as a whole. */
  readonly tool?: string;
  readonly listingId?: string;
  readonly price: Required<Price>;
  readonly x402Version: number;
  readonly scheme: string;
  /** The entry of `accepts` as it was quoted; absent of quotes from before it was stored. */
  readonly accept?: JsonObject;
  readonly quotedAt: Instant;
}

export interface KnownQuote extends LiveQuote {
  /** When the address to pay at was last seen to change. */
  readonly payToChangedAt?: Instant;
  /** How often a price was seen there. */
  readonly quotes: number;
}
