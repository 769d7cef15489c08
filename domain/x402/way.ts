import { defined } from '../defined.ts';
import { isObject, type JsonObject } from '../jsonObject.ts';
import { parseAtomic, ZERO, type Atomic } from '../money.ts';
import { evmAddress, isEvmAddress, ZERO_ADDRESS, type EvmAddress, type Hex } from '../rails/evm.ts';
import type { Authorization } from './payment.ts';
import { chainNameV1, chainNameV2 } from './rail.ts';

/** An offer of a 402 to be paid by `exact` on EVM (EIP-3009), in any token on any chain. */
export interface WayToPay {
  readonly x402Version: 1 | 2;
  /** As the offer names the chain. */
  readonly chain: string;
  readonly asset: EvmAddress;
  readonly payTo: EvmAddress;
  readonly amount: Atomic;
  readonly timeoutSeconds: number;
  /** The offer as it came: version 2 hands it back. */
  readonly offer: JsonObject;
  /** The resource that is bought, in its words; version 2 hands that back as well. */
  readonly resource?: JsonObject;
}

/** When an offer names none. */
const TIMEOUT_SECONDS = 60;
/** Less is over before it can settle; more would leave its outcome open for as long. */
const TIMEOUT_SECONDS_MIN = 10;
const TIMEOUT_SECONDS_MAX = 300;
/** Clocks differ: an authorization counts from a little before it was signed. */
const BEFORE_SECONDS = 600;

export function readWay(offer: unknown, version: 1 | 2, resource: unknown): WayToPay | undefined {
  if (!isObject(offer) || offer['scheme'] !== 'exact') return undefined;
  const { network: chain, asset, payTo, extra } = offer;
  const method = isObject(extra) ? extra['assetTransferMethod'] : undefined;
  if (method !== undefined && method !== 'eip3009') return undefined;
  if (typeof chain !== 'string' || !isEvmAddress(asset) || !isEvmAddress(payTo)) return undefined;
  const text = offer['amount'] ?? offer['maxAmountRequired'];
  const amount = typeof text === 'string' ? parseAtomic(text) : undefined;
  if (amount === undefined || amount === ZERO) return undefined;
  const seconds = Number.isSafeInteger(offer['maxTimeoutSeconds'])
    ? Number(offer['maxTimeoutSeconds'])
    : TIMEOUT_SECONDS;
  return {
    x402Version: version === 2 || chain.includes(':') ? 2 : 1,
    chain,
    asset: evmAddress(asset),
    payTo: evmAddress(payTo),
    amount,
    timeoutSeconds: Math.min(Math.max(seconds, TIMEOUT_SECONDS_MIN), TIMEOUT_SECONDS_MAX),
    offer,
    ...(isObject(resource) && { resource }),
  };
}

/** The cheapest way in this token of this chain; undefined when there is none. */
export function wayOn(
  ways: readonly WayToPay[],
  { chainId, token }: { readonly chainId: number; readonly token: EvmAddress },
): WayToPay | undefined {
  const here = ways.filter(
    ({ x402Version, chain, asset, payTo }) =>
      chain === (x402Version === 1 ? chainNameV1({ chainId }) : chainNameV2({ chainId })) &&
      asset === token &&
      payTo !== token &&
      payTo !== ZERO_ADDRESS,
  );
  const [first, ...rest] = here;
  return first && rest.reduce((a, b) => (b.amount < a.amount ? b : a), first);
}

/** Returns the authorization to sign; it can pay only the receiver that was offered. */
export function authorizationFor(
  { payTo: to, amount: value, timeoutSeconds }: WayToPay,
  from: EvmAddress,
  nonce: Hex,
  nowMs: number,
): Authorization {
  const second = Math.floor(nowMs / 1000);
  const validAfter = BigInt(second - BEFORE_SECONDS);
  return { from, to, value, validAfter, validBefore: BigInt(second + timeoutSeconds), nonce };
}

/** The payment as its header, or `_meta` of MCP, carries it. */
export function paymentPayload(
  { x402Version, chain, offer, resource }: WayToPay,
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
  signature: Hex,
): JsonObject {
  const authorization = {
    from,
    to,
    value: `${value}`,
    validAfter: `${validAfter}`,
    validBefore: `${validBefore}`,
    nonce,
  };
  const payload = { signature, authorization };
  if (x402Version === 1) return { x402Version, scheme: 'exact', network: chain, payload };
  return { x402Version, ...defined({ resource }), accepted: offer, payload };
}

export const paymentHeader = ({ x402Version }: WayToPay): string =>
  x402Version === 1 ? 'x-payment' : 'payment-signature';
