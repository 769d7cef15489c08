import { afterFault, onCall, rests, SOUND, type Breaker } from '../../../domain/router/breaker.ts';
import type { Counter, Offer, Provider } from '../../../domain/models/offer.ts';
import type { Clock } from '../clock.ts';
import type { Outbound } from '../outbound/fetcher.ts';
import { openTokenCounter } from './counter.ts';
import type { ModelPart } from './part.ts';
import { askProvider, type Asked } from './provider.ts';

export type { ModelFault, ModelPart } from './part.ts';

/** The models that this hub sells, and their providers. */
export interface ModelDesk {
  /** In the order of their ids. */
  readonly offers: readonly Offer[];
  offer(id: string): Offer | undefined;
  count(counter: Counter, texts: readonly string[]): Promise<number>;
  /** The tokens of each of the texts. */
  countEach(counter: Counter, texts: readonly string[]): Promise<readonly number[]>;
  /** Providers in the order in which they are asked: cheapest first, those that rest last. */
  order(offer: Offer): readonly Provider[];
  rests(offer: Offer, provider: Provider): boolean;
  /** Asks one; the answer is read on demand, and a caller that stops reading ends it. */
  ask(asked: Asked): AsyncGenerator<ModelPart>;
  /** Records whether a provider's answer was sound. */
  report(offer: Offer, provider: Provider, isSound: boolean): void;
  /** Work that must be ended before the store closes. */
  track(work: Promise<unknown>): void;
  /** Gives up every answer under way; their callers are not charged. */
  leave(): void;
  /** Leaves, and waits until all of them are settled. */
  close(): Promise<void>;
}

export interface DeskParts {
  readonly offers: readonly Offer[];
  readonly outbound: Outbound;
  readonly clock: Clock;
}

export function openModelDesk({ offers, outbound, clock }: DeskParts): ModelDesk {
  const counter = openTokenCounter();
  const breakers = new Map<string, Breaker>();
  const tracked = new Set<Promise<unknown>>();
  const nameOf = ({ id }: Offer, { name, offerId = id }: Provider): string => `${offerId} ${name}`;
  const breakerOf = (offer: Offer, provider: Provider): Breaker =>
    breakers.get(nameOf(offer, provider)) ?? SOUND;
  const isResting = (offer: Offer, provider: Provider): boolean =>
    rests(breakerOf(offer, provider), clock.now());
  return {
    offers,
    offer: (id) => offers.find((each) => each.id === id),
    count: (name, texts) => counter.count(name, texts),
    countEach: (name, texts) => counter.each(name, texts),
    order(offer) {
      const resting = offer.providers.filter((each) => isResting(offer, each));
      return [...offer.providers.filter((each) => !resting.includes(each)), ...resting];
    },
    rests: isResting,
    ask(asked) {
      return askProvider(outbound, asked);
    },
    report(offer, provider, isSound) {
      const name = nameOf(offer, provider);
      if (isSound) breakers.delete(name);
      else
        breakers.set(
          name,
          afterFault(onCall(breakerOf(offer, provider), clock.now()), clock.now()),
        );
    },
    track(work) {
      const kept = work.catch(() => undefined).finally(() => tracked.delete(kept));
      tracked.add(kept);
    },
    leave: () => outbound.close(),
    async close() {
      outbound.close();
      await Promise.all(tracked);
      await counter.close();
    },
  };
}
