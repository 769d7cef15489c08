import { beginningsOf, type Beginning } from '../../domain/models/beginnings.ts';
import { plus, seconds, type Instant } from '../../domain/instant.ts';
import type { Provider } from '../../domain/models/offer.ts';
import { textsOf } from '../../domain/models/prompt.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { Hub } from '../kernel/hub.ts';
import { perHub } from '../kernel/perHub.ts';
import type { AdmittedCall } from './admit.ts';

/**
 * Which provider read the beginning of a prompt of an account before (choices models.caching). A
 * conversation goes on there, and tokens are sold at the price of the cache only where the account
 * itself sent them, so that no price says what another account sent.
 */
export interface Session {
  /** The order of providers, the one that knows the longest beginning first. */
  ordered(providers: readonly Provider[]): readonly Provider[];
  /** The part of the prompt, 0 to 1, that the account sent this provider before. */
  partAt(provider: Provider): number;
  /** Remembers that the provider has read this prompt. */
  keep(provider: Provider): void;
}

/** Providers keep what they read for five to ten minutes. */
const KEPT_SECONDS = seconds(600);
const KEPT_MAX = 50_000;

interface Kept {
  readonly at: string;
  readonly until: Instant;
}
const known = perHub(() => new Map<string, Kept>());

export function sessionOf(hub: Hub, { payer }: ModelReceipt, admitted: AdmittedCall): Session {
  const { offer, prompt, isOrdered } = admitted;
  const nameOf = ({ name, offerId = offer.id }: Provider): string => `${offerId} ${name}`;
  const isUseful =
    prompt.embeds === undefined &&
    (offer.providers.length > 1 || offer.providers.some(({ price }) => price.cached !== undefined));
  const beginnings = isUseful ? beginningsOf(payer, textsOf(prompt)) : [];
  const kept = known(hub);
  const longest = (fits: (each: Kept) => boolean): (Beginning & Kept) | undefined => {
    for (const beginning of [...beginnings].reverse()) {
      const found = kept.get(beginning.digest);
      if (found === undefined || found.until <= hub.clock.now()) continue;
      if (fits(found)) return { ...beginning, ...found };
    }
    return undefined;
  };
  return {
    ordered(providers) {
      const at = isOrdered ? undefined : longest(() => true)?.at;
      const first = providers.find((each) => nameOf(each) === at && !hub.models.rests(offer, each));
      if (first === undefined) return providers;
      return [first, ...providers.filter((each) => each !== first)];
    },
    partAt: (provider) => longest(({ at }) => at === nameOf(provider))?.part ?? 0,
    keep(provider) {
      if (kept.size + beginnings.length > KEPT_MAX) kept.clear();
      const until = plus(hub.clock.now(), KEPT_SECONDS);
      for (const { digest } of beginnings) kept.set(digest, { at: nameOf(provider), until });
    },
  };
}
