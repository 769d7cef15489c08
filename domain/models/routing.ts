import { defined } from '../defined.ts';
import type { Backend, Offer, Provider, Reads, TokenPrice } from './offer.ts';

/** The wishes of a caller, about the providers of a call (choices models.routing). */
export interface Wishes {
  /** Providers by name, those that are asked first. */
  readonly order?: readonly string[];
  /** The only providers that may be asked. */
  readonly only?: readonly string[];
  /** The most per million tokens. */
  readonly maxPrice?: Partial<TokenPrice>;
}

/**
 * One offer of a model and the models that are asked when it fails: what all of them take, with
 * their providers one model after the other. Undefined when no provider is left.
 */
export function routed(offers: readonly Offer[], wishes: Wishes): Offer | undefined {
  const [first, ...others] = offers;
  if (first === undefined) return undefined;
  const providers = offers.flatMap((offer) => wanted(offer, wishes));
  if (providers.length === 0) return undefined;
  return { ...others.reduce(both, first), providers };
}

function wanted({ id, providers }: Offer, { order = [], only, maxPrice }: Wishes): Provider[] {
  const place = ({ name }: Provider): number => {
    const at = order.indexOf(name);
    return at < 0 ? order.length : at;
  };
  return providers
    .filter(({ name, price }) => only?.includes(name) !== false && isWithin(price, maxPrice ?? {}))
    .map((provider) => ({ ...provider, offerId: id }))
    .sort((a, b) => place(a) - place(b));
}

function isWithin(price: TokenPrice, most: Partial<TokenPrice>): boolean {
  const names = ['input', 'output'] as const;
  return names.every((name) => most[name] === undefined || price[name] <= most[name]);
}

/** The limits of both: a call that falls back must be one that every model of it can answer. */
function both(one: Offer, other: Offer): Offer {
  return {
    ...one,
    contextLength: Math.min(one.contextLength, other.contextLength),
    maxAnswerTokens: Math.min(one.maxAnswerTokens, other.maxAnswerTokens),
    backend: one.backend === other.backend ? one.backend : ('upstream' satisfies Backend),
    reads: bothRead(one.reads, other.reads),
    thinks: one.thinks || other.thinks,
    parameters: one.parameters.filter((name) => other.parameters.includes(name)),
  };
}

/** The media that both read, at the most tokens of either. */
export function bothRead(one: Reads, other: Reads): Reads {
  const most = (a?: number, b?: number): number | undefined =>
    a === undefined || b === undefined ? undefined : Math.max(a, b);
  return defined({ image: most(one.image, other.image), file: most(one.file, other.file) });
}
