import { instant, plus, seconds, type Instant } from '../instant.ts';
import { ADDRESSES_MAX, type CrawlStep, type SeedUrl } from './target.ts';
import { defined } from '../defined.ts';

/**
 * Which addresses of an origin a look asks (choices registry.turns): each has a turn of its own, so
 * that an origin with a thousand addresses is asked like a thousand origins with one.
 */
export interface AskedAddress {
  readonly url: string;
  readonly askedAt: Instant;
  readonly dueAt: Instant;
  /** Times in a row that nothing answered there. */
  readonly failures: number;
  readonly answered: boolean;
  readonly listingId?: string;
  /** The answers, request by request. */
  readonly steps: readonly CrawlStep[];
}

/** A listing of the origin, as far as its turn depends on it. */
export interface ListedAddress {
  readonly id: string;
  readonly url: string;
  readonly askedAt: Instant;
}

export interface Turn extends SeedUrl {
  readonly listingId?: string;
  /** Absent before it is asked for the first time. */
  readonly askedAt?: Instant;
  readonly dueAt: Instant;
}

interface Named {
  readonly named: readonly SeedUrl[];
  readonly listed: readonly ListedAddress[];
  readonly asked: readonly Pick<AskedAddress, 'url' | 'askedAt' | 'dueAt'>[];
}

const NEVER = instant(0);

/**
 * The addresses in the order of their turns: what was submitted since it was asked, then what is
 * listed and what was only named by turns, each that which waits longest first.
 */
export function turnsOf({ named, listed, asked }: Named): readonly Turn[] {
  const last = new Map(asked.map((each) => [each.url, each]));
  const known = new Set(listed.map(({ url }) => url));
  const submitted = new Map(named.map((hint) => [hint.url, hint.submittedAt]));
  const ofListed = listed.map(({ id, url, askedAt }): Turn => {
    const dueAt = last.get(url)?.dueAt ?? NEVER;
    return { url, kind: 'mcp', listingId: id, askedAt, dueAt };
  });
  const ofNamed = named
    .filter(({ url }) => !known.has(url))
    .map(({ url, kind }): Turn => {
      const before = last.get(url);
      const base = { url, ...defined({ kind }), dueAt: before?.dueAt ?? NEVER };
      return before === undefined ? base : { ...base, askedAt: before.askedAt };
    });
  const isUrgent = ({ url, askedAt }: Turn): boolean => {
    const at = submitted.get(url);
    return at !== undefined && (askedAt === undefined || askedAt < at);
  };
  const first = [...ofNamed, ...ofListed]
    .filter(isUrgent)
    .map((turn) => ({ ...turn, dueAt: NEVER }));
  const urgent = new Set(first.map(({ url }) => url));
  const rest = [ofListed, ofNamed].map((some) =>
    some.filter(({ url }) => !urgent.has(url)).sort((a, b) => a.dueAt - b.dueAt),
  );
  return [...first, ...byTurns(rest[0] ?? [], rest[1] ?? [])];
}

function byTurns<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  const places = Array.from({ length: Math.max(some.length, others.length) }, (_, nth) => nth);
  return places.flatMap((nth) => [some[nth], others[nth]].filter((each) => each !== undefined));
}

/** Those whose turn it is at this moment. */
export function dueTurns(turns: readonly Turn[], now: Instant): readonly Turn[] {
  return turns.filter(({ dueAt }) => dueAt <= now);
}

/** The page at an address, the opening of a server in both eras, and its first page of tools. */
export const REQUESTS_A_SERVER = 7;
const REQUESTS = 50;
const REQUESTS_MAX = 120;
const REQUESTS_AN_ANSWER = 5;

/** Requests of one look: an origin earns more by addresses that answered well. */
export function requestsOf(answered: number): number {
  return Math.min(REQUESTS_MAX, REQUESTS + REQUESTS_AN_ANSWER * answered);
}

/** How many servers a look asks, beside the rules for robots and the cards. */
export function serversALook(requests: number): number {
  return Math.floor(requests / REQUESTS_A_SERVER);
}

const ADDRESSES = 50;

/** Addresses of an origin that feeds may name: twice as many more as answered well. */
export function addressesOf(answered: number): number {
  return Math.min(ADDRESSES_MAX, ADDRESSES + 2 * answered);
}

/** The pause between two looks at an origin of which addresses still wait. */
const ROUND_SECONDS = seconds(600);

/** When an origin that answered is looked at again: soon while an address of it waits. */
export function nextLook(
  now: Instant,
  regular: Instant,
  turns: readonly Pick<Turn, 'dueAt'>[],
): Instant {
  const soonest = turns.reduce((least, { dueAt }) => Math.min(least, dueAt), regular as number);
  return instant(Math.min(regular, Math.max(soonest, plus(now, ROUND_SECONDS))));
}

/** When a look will ask the address that stands at this place in the line. */
export function turnAt(look: Instant, place: number, perLook: number): Instant {
  return plus(look, seconds(Math.floor(place / perLook) * ROUND_SECONDS));
}
