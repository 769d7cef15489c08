import { defined } from '../defined.ts';
import type { Instant } from '../instant.ts';
import type { ListingKind } from './listing.ts';

/** The crawler's record of an origin, beside the listings that it found there. */
export type FoundBy = 'submission' | 'registry' | 'link' | 'hosted';

/** A submitted address; without a kind it is tried as everything. */
export interface SeedUrl {
  readonly url: string;
  readonly kind?: ListingKind;
  /** Absent when a feed named it. */
  readonly submittedAt?: Instant;
}

export type CrawlStepName =
  'robots' | 'card' | 'initialize' | 'discover' | 'tools' | 'call' | 'proof' | 'document';
export type CrawlStepOutcome =
  | 'ok'
  | 'not-found'
  | 'key-needed'
  | 'quoted'
  | 'refused'
  | 'malformed'
  | 'timeout'
  | 'unreachable'
  | 'forbidden'
  | 'skipped';

/** One request of a look, or one that a rule kept the hub from, with what came of it. */
export interface CrawlStep {
  readonly step: CrawlStepName;
  readonly url: string;
  readonly at: Instant;
  readonly outcome: CrawlStepOutcome;
  readonly status?: number;
  readonly detail: string;
  readonly fix?: string;
  readonly durationMs: number;
}

/** The result of the last look at an origin; it reads like a compiler's report (idea 12). */
export interface CrawlReport {
  /** Codes of the listings. */
  readonly found: readonly string[];
  readonly probes: readonly CrawlStep[];
  /** Why nothing is listed, and what to change; both or none. */
  readonly why?: string;
  readonly fix?: string;
}

export interface RobotsSeen {
  readonly fetchedAt: Instant;
  readonly rule: 'allowed' | 'partly' | 'forbidden' | 'absent' | 'unreadable';
  readonly crawlDelaySeconds?: number;
}

export interface Target {
  readonly origin: string;
  readonly host: string;
  readonly foundBy: FoundBy;
  readonly firstSeenAt: Instant;
  readonly hints: readonly SeedUrl[];
  readonly submissions: number;
  readonly submittedAt?: Instant;
  readonly backOff: number;
  readonly nextLookAt: Instant;
  /** When it would be looked at without any submission; absent before the first look. */
  readonly regularLookAt?: Instant;
  /** Looks in a row that found nothing. */
  readonly failures: number;
  /** A crawl has claimed it until then. */
  readonly claimedUntil?: Instant;
  readonly lastLookAt?: Instant;
  readonly outcome?: 'listed' | 'not-listed';
  readonly report?: CrawlReport;
  readonly robots?: RobotsSeen;
}

/** Addresses that the hub keeps of one origin at most. */
export const ADDRESSES_MAX = 300;

/** The hints with one more at the front; those of the same address take its place. */
export function withSeedUrl(
  hints: readonly SeedUrl[],
  hint: SeedUrl | undefined,
): readonly SeedUrl[] {
  if (hint === undefined) return hints;
  const known = hints.find(({ url }) => url === hint.url);
  const kept = hints.filter(({ url }) => url !== hint.url);
  const kind = hint.kind ?? known?.kind;
  const submittedAt = hint.submittedAt ?? known?.submittedAt;
  return [{ url: hint.url, ...defined({ kind, submittedAt }) }, ...kept].slice(0, ADDRESSES_MAX);
}

/** An address without a path names the origin. */
export function isBare(url: string): boolean {
  const { pathname, search } = new URL(url);
  return pathname === '/' && search === '';
}
