import type { Atomic } from '../money.ts';
import { checksummed, type Hex } from '../rails/evm.ts';
import type { BazaarExtension } from './bazaar.ts';
import { chainNameV1, chainNameV2, type Rail } from './rail.ts';

/** The terms of a 402: version 1 as its body, version 2 as the header PAYMENT-REQUIRED. */
export interface Terms {
  readonly rail: Rail;
  readonly amount: Atomic;
  readonly resource: string;
  readonly description: string;
  /** How it is called, for facilitators that list what is sold. */
  readonly bazaar?: BazaarExtension;
}

/** Seconds that an authorization must stay valid: enough to verify and settle it. */
const TIMEOUT_SECONDS = 120;
const MIME_TYPE = 'application/json';

export interface OfferV1 {
  readonly scheme: 'exact';
  readonly network: string;
  readonly maxAmountRequired: string;
  readonly asset: Hex;
  readonly payTo: Hex;
  readonly resource: string;
  readonly description: string;
  readonly mimeType: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Domain;
}

export interface OfferV2 {
  readonly scheme: 'exact';
  readonly network: string;
  readonly amount: string;
  readonly asset: Hex;
  readonly payTo: Hex;
  readonly maxTimeoutSeconds: number;
  readonly extra: Domain;
}

interface Domain {
  readonly [name: string]: unknown;
  readonly name: string;
  readonly version: string;
}

export interface PaymentRequiredV2 {
  readonly x402Version: 2;
  readonly error: string;
  readonly resource: {
    readonly url: string;
    readonly description: string;
    readonly mimeType: string;
  };
  readonly accepts: readonly OfferV2[];
  readonly extensions?: { readonly bazaar: BazaarExtension };
}

export function offerV1({ rail, amount, resource, description }: Terms): OfferV1 {
  return {
    scheme: 'exact',
    network: chainNameV1(rail),
    maxAmountRequired: `${amount}`,
    asset: checksummed(rail.asset),
    payTo: checksummed(rail.payTo),
    resource,
    description,
    mimeType: MIME_TYPE,
    maxTimeoutSeconds: TIMEOUT_SECONDS,
    extra: { ...rail.token },
  };
}

export function offerV2({ rail, amount }: Pick<Terms, 'rail' | 'amount'>): OfferV2 {
  return {
    scheme: 'exact',
    network: chainNameV2(rail),
    amount: `${amount}`,
    asset: checksummed(rail.asset),
    payTo: checksummed(rail.payTo),
    maxTimeoutSeconds: TIMEOUT_SECONDS,
    extra: { ...rail.token },
  };
}

/** The quote of version 2; `error` says why there is no answer yet. */
export function paymentRequiredV2(terms: Terms, error: string): PaymentRequiredV2 {
  const { resource: url, description, bazaar } = terms;
  return {
    x402Version: 2,
    error,
    resource: { url, description, mimeType: MIME_TYPE },
    accepts: [offerV2(terms)],
    ...(bazaar !== undefined && { extensions: { bazaar } }),
  };
}
