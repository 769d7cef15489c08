import { parseAtomic, ZERO, type Atomic } from '../money.ts';
import type { Price } from './listing.ts';
import { type JsonObject, isObject, listOf } from '../jsonObject.ts';
import { readWay, type WayToPay } from '../x402/way.ts';
import { cleanLine } from './text.ts';

/**
 * Live x402 quotes, versions 1 and 2, at the three doors (choices registry.prices). A quote
 * is an answer that withholds its result: an `accepts` inside a successful result is ordinary data.
 */
export interface Quote {
  readonly x402Version: 1 | 2;
  readonly scheme: string;
  readonly price: Required<Price>;
  /** The entry of `accepts` as it was quoted, without members that no payer reads. */
  readonly accept: JsonObject;
}

/** A refusal that asks for money: with a price that can be read, or why there is none. */
export type QuoteVerdict = {
  /** In any token of any chain, of the first place that offers one. */
  readonly ways: readonly WayToPay[];
  /** It lists ways to pay, whether or not the hub can read one: other protocols use 402 as well. */
  readonly isX402: boolean;
} & (
  | { readonly kind: 'quote'; readonly quote: Quote }
  | { readonly kind: 'no-price'; readonly message: string }
);

interface UsdcNetwork {
  /** The name of version 1. */
  readonly name: string;
  readonly caip: string;
  readonly usdc: string;
}
/** Where USDC is; a quote in anything else has no price that callers could compare. */
const NETWORKS: readonly UsdcNetwork[] = [
  {
    name: 'base',
    caip: 'eip155:8453',
    usdc: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  },
  {
    name: 'base-sepolia',
    caip: 'eip155:84532',
    usdc: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  },
  {
    name: 'ethereum',
    caip: 'eip155:1',
    usdc: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  },
  {
    name: 'polygon',
    caip: 'eip155:137',
    usdc: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  },
  {
    name: 'avalanche',
    caip: 'eip155:43114',
    usdc: '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e',
  },
  {
    name: 'solana',
    caip: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    usdc: 'epjfwdd5aufqssqem2qn1xzybapc8g4weggkzwytdt1v',
  },
];
/** Ways to pay in one answer; no known server offers more. */
const ACCEPTS_MAX = 50;
const HEADER_LENGTH_MAX = 16_384;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

export interface PaidAnswer {
  readonly status: number;
  readonly paymentRequired: string | undefined;
  readonly body: unknown;
}

/** HTTP 402: the header if it can be read, else the body, version 2 before 1. */
export function readHttpQuote(answer: PaidAnswer): QuoteVerdict | undefined {
  if (answer.status !== 402) return undefined;
  const header = answer.paymentRequired === undefined ? [] : [decoded(answer.paymentRequired)];
  return bestOf([...header, answer.body], 'It answered 402');
}

/** The result of a tools/call that was refused, or the `error` of a JSON-RPC answer. */
export function readMcpQuote(answer: {
  readonly result?: unknown;
  readonly error?: unknown;
}): QuoteVerdict | undefined {
  const { result, error } = answer;
  if (isObject(error) && error['code'] === 402) {
    return bestOf([error['data'], nested(error['data'])], 'It answered error 402');
  }
  if (!isObject(result) || result['isError'] !== true) return undefined;
  const [first] = listOf(result['content']);
  const text = isObject(first) && typeof first['text'] === 'string' ? first['text'] : '';
  const parsed = parsedText(text);
  const places = [result['structuredContent'], parsed, nested(parsed)].filter(asksForMoney);
  return places.length === 0 ? undefined : bestOf(places, 'Its refusal asks for payment');
}

/** A task that waits for payment (a2a-x402). */
export function readA2aQuote(task: unknown): QuoteVerdict | undefined {
  const status = isObject(task) ? task['status'] : undefined;
  const message = isObject(status) ? status['message'] : undefined;
  const metadata = isObject(message) ? message['metadata'] : undefined;
  if (!isObject(metadata) || metadata['x402.payment.status'] !== 'payment-required') {
    return undefined;
  }
  return bestOf([metadata['x402.payment.required']], 'Its task waits for payment');
}

/** The cheapest entry that can be read, of the first place that has one. */
function bestOf(places: readonly unknown[], message: string): QuoteVerdict {
  const offered = places.map(offersIn);
  const ways = offered.map(waysIn).find(({ length }) => length > 0) ?? [];
  for (const { version, accepts } of offered) {
    const quotes = accepts.slice(0, ACCEPTS_MAX).flatMap((entry) => quoteOf(entry, version) ?? []);
    const [first, ...rest] = quotes;
    if (first === undefined) continue;
    const cheapest = (a: Quote, b: Quote): Quote => (b.price.amount < a.price.amount ? b : a);
    return { kind: 'quote', quote: rest.reduce(cheapest, first), ways, isX402: true };
  }
  const seen = offered.reduce((count, { accepts }) => count + accepts.length, 0);
  const why =
    seen === 0
      ? 'without an `accepts` list that can be read'
      : 'with no way to pay that the hub knows: scheme exact, USDC, a whole amount above 0 and a payTo';
  return { kind: 'no-price', message: `${message} ${why}.`, ways, isX402: seen > 0 };
}

interface Offers {
  readonly version: 1 | 2;
  readonly accepts: readonly unknown[];
  readonly resource: unknown;
}

function offersIn(place: unknown): Offers {
  if (Array.isArray(place)) return { version: 1, accepts: place, resource: undefined };
  if (!isObject(place)) return { version: 1, accepts: [], resource: undefined };
  const version = place['x402Version'] === 2 ? 2 : 1;
  return { version, accepts: listOf(place['accepts']), resource: place['resource'] };
}

function waysIn({ version, accepts, resource }: Offers): readonly WayToPay[] {
  return accepts.slice(0, ACCEPTS_MAX).flatMap((offer) => readWay(offer, version, resource) ?? []);
}

function quoteOf(entry: unknown, version: 1 | 2): Quote | undefined {
  if (!isObject(entry) || entry['scheme'] !== 'exact') return undefined;
  const network = NETWORKS.find(({ name, caip }) =>
    [name, caip].includes(String(entry['network'])),
  );
  const asset = typeof entry['asset'] === 'string' ? entry['asset'].toLowerCase() : '';
  const payTo = cleanLine(entry['payTo'], 100);
  if (network === undefined || asset !== network.usdc || payTo === undefined) return undefined;
  const amount = wholeAmount(entry['amount']) ?? wholeAmount(entry['maxAmountRequired']);
  // A quote of nothing is no price.
  if (amount === undefined || amount === ZERO) return undefined;
  const isSecond = version === 2 || String(entry['network']) === network.caip;
  return {
    x402Version: isSecond ? 2 : 1,
    scheme: 'exact',
    price: { amount, asset: 'USDC', network: network.name, payTo },
    accept: acceptOf(entry, network, { amount, payTo, isSecond }),
  };
}

const TIMEOUT_SECONDS_MAX = 86_400;
const TIMEOUT_SECONDS_USUAL = 60;

/** In the form of its version; texts of the quote are cut, and other members left out. */
function acceptOf(
  entry: JsonObject,
  { name, caip }: UsdcNetwork,
  { amount, payTo, isSecond }: { amount: Atomic; payTo: string; isSecond: boolean },
): JsonObject {
  const { maxTimeoutSeconds: seconds, extra } = entry;
  const isTime = typeof seconds === 'number' && seconds > 0 && seconds <= TIMEOUT_SECONDS_MAX;
  const domain = isObject(extra)
    ? [cleanLine(extra['name'], 64), cleanLine(extra['version'], 16)]
    : [];
  const shared = {
    scheme: 'exact',
    asset: cleanLine(entry['asset'], 64),
    payTo,
    maxTimeoutSeconds: isTime ? Math.round(seconds) : TIMEOUT_SECONDS_USUAL,
    extra: { name: domain[0], version: domain[1] },
  };
  if (isSecond) return { ...shared, network: caip, amount: `${amount}` };
  return {
    ...shared,
    network: name,
    maxAmountRequired: `${amount}`,
    resource: cleanLine(entry['resource'], 2_048),
    description: cleanLine(entry['description'], 400),
    mimeType: cleanLine(entry['mimeType'], 100),
  };
}

/** The name under which quotes of a network are stored, of either version's name. */
export function quotedNetwork(name: string): string {
  return NETWORKS.find(({ caip }) => caip === name)?.name ?? name;
}

function wholeAmount(value: unknown): Atomic | undefined {
  return typeof value === 'string' ? parseAtomic(value) : undefined;
}

/** The body of version 2 as a header; undefined when it is no base64 of JSON. */
function decoded(header: string): unknown {
  if (header.length > HEADER_LENGTH_MAX || !BASE64.test(header)) return undefined;
  return parsedText(Buffer.from(header, 'base64').toString('utf8'));
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `{"x402/error": {"code": 402, "data": …}}`, seen in the wild. */
function nested(value: unknown): unknown {
  const inner: unknown = isObject(value) ? value['x402/error'] : undefined;
  return isObject(inner) ? inner['data'] : undefined;
}

function asksForMoney(value: unknown): value is JsonObject {
  return isObject(value) && 'x402Version' in value && 'accepts' in value;
}
