import { atomic, type Atomic } from '../money.ts';
import type { NetworkKind } from '../network.ts';

/**
 * The models on sale (interface, Models; choices models.providers). Prices are atomic units per
 * million tokens, so 1 USD is one unit a token; a call is rounded up once.
 */
export interface TokenPrice {
  readonly input: bigint;
  readonly output: bigint;
  /** The price of tokens of the prompt in the provider's cache; the price of input when absent. */
  readonly cached?: bigint;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
  /** Tokens of the input that the provider had in its cache. */
  readonly cached?: number;
}

/** The source of tokens: a provider that the operator pays; a machine of its own; a mock. */
export type Backend = 'upstream' | 'local' | 'mock';

export const COUNTERS = ['o200k_base', 'cl100k_base', 'hub-words'] as const;
export type Counter = (typeof COUNTERS)[number];

export const LENGTH_FIELDS = ['max_tokens', 'max_completion_tokens'] as const;
export type LengthField = (typeof LENGTH_FIELDS)[number];

export interface Provider {
  readonly name: string;
  /** Where chat completions are posted; absent for the hub's own stand-in. */
  readonly url?: string;
  /** Sent as a bearer token; absent where none is asked for. */
  readonly key?: string;
  /** The model that it computes, in a call that may fall back to another one. */
  readonly offerId?: string;
  /** The provider's name of the model. */
  readonly model: string;
  /** How it wants the longest answer to be named. */
  readonly lengthField: LengthField;
  readonly price: TokenPrice;
  /** Milliseconds to the first token, between two pieces, and in all. */
  readonly firstTokenMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface Reads {
  readonly image?: number;
  readonly file?: number;
}

export interface Embeds {
  /** Numbers of a vector. */
  readonly dimensions: number;
  /** Whether fewer may be asked for. */
  readonly shortens: boolean;
}

export interface Offer {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly contextLength: number;
  readonly maxAnswerTokens: number;
  readonly backend: Backend;
  readonly counter: Counter;
  /** It thinks in tokens that are billed and not shown. */
  readonly thinks: boolean;
  /** It may rewrite prompts for `services.compressPrompt`. */
  readonly rewrites: boolean;
  /** Present for a model that makes vectors of texts in place of answers. */
  readonly embeds?: Embeds;
  /** The most tokens that an image, or a file, of a prompt becomes; absent where it takes none. */
  readonly reads: Reads;
  /** Parameters that are passed on; a call with any other is refused. */
  readonly parameters: readonly string[];
  /** Unix seconds; 0 when the operator did not say. */
  readonly since: number;
  /** Cheapest first. */
  readonly providers: readonly Provider[];
}

const MILLION = 1_000_000n;

/** Returns the cost of tokens, rounded up to a whole unit. */
export function costOf({ input, output, cached = 0 }: Tokens, price: TokenPrice): Atomic {
  const fresh = BigInt(input - cached) * price.input;
  const parts =
    fresh + BigInt(cached) * (price.cached ?? price.input) + BigInt(output) * price.output;
  return atomic((parts + MILLION - 1n) / MILLION);
}

export function worstCost(tokens: Tokens, { providers }: Offer): Atomic {
  const costs = providers.map(({ price }) => costOf(tokens, price));
  return costs.reduce((most, cost) => (cost > most ? cost : most));
}

/** A price as the catalogue writes it: USD per million tokens. */
export function usdPerMillion(units: bigint): string {
  const digits = units.toString().padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -6) : `${digits.slice(0, -6)}.${fraction}`;
}

/** Units per million tokens of a decimal text; undefined when it is none. */
export function parseUsdPerMillion(text: string): bigint | undefined {
  const found = /^(0|[1-9]\d{0,6})(?:\.(\d{1,6}))?$/.exec(text);
  if (found === null) return undefined;
  return BigInt(found[1] ?? '0') * MILLION + BigInt((found[2] ?? '').padEnd(6, '0'));
}

/** Test money must not buy tokens that cost real money, and play money buys nothing. */
export function buysOn(kind: NetworkKind, { backend }: Offer): boolean {
  if (kind === 'play') return false;
  if (backend === 'mock') return kind === 'test';
  return kind === 'real' || backend === 'local';
}

/** Cheapest first for an ordinary call, then by name. */
export function cheapestFirst(a: Provider, b: Provider): number {
  const [left, right] = [a, b].map(({ price }) => price.input + price.output);
  if (left === right) return a.name < b.name ? -1 : 1;
  return (left ?? 0n) < (right ?? 0n) ? -1 : 1;
}
