import type { Atomic } from '../money.ts';

/** One way to settle a price, as the hub's rails describe themselves. */
export interface PaymentTerms {
  /** Name in version 1, such as `base`. */
  readonly network: string;
  /** CAIP-2 in version 2, such as `eip155:8453`. */
  readonly chain: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  /** EIP-712 domain of the token. */
  readonly extra: { readonly name: string; readonly version: string };
}

export interface Quoted {
  readonly price: Atomic;
  readonly resource: string;
  readonly description: string;
  readonly rails: readonly PaymentTerms[];
}

/** An entry of `accepts` in version 1. */
export interface AcceptsV1 {
  scheme: 'exact';
  network: string;
  maxAmountRequired: string;
  asset: string;
  payTo: string;
  resource: string;
  description: string;
  maxTimeoutSeconds: number;
  extra: { name: string; version: string };
}

/**
 * A price in both versions of x402: version 1 goes into the body, version 2 as base64 JSON into the
 * header `payment-required`. They name the same rails, the same amount and the same address.
 */
export function quoteBodies({ price, resource, description, rails }: Quoted): {
  readonly accepts: AcceptsV1[];
  readonly header: string;
} {
  const v2 = {
    x402Version: 2,
    resource: { url: resource, description },
    accepts: rails.map(({ chain, asset, payTo, maxTimeoutSeconds, extra }) => {
      const amount = `${price}`;
      return { scheme: 'exact', network: chain, amount, asset, payTo, maxTimeoutSeconds, extra };
    }),
  };
  return {
    accepts: rails.map(({ network, asset, payTo, maxTimeoutSeconds, extra }) => ({
      scheme: 'exact',
      network,
      maxAmountRequired: `${price}`,
      asset,
      payTo,
      resource,
      description,
      maxTimeoutSeconds,
      extra: { ...extra },
    })),
    header: Buffer.from(JSON.stringify(v2)).toString('base64'),
  };
}
