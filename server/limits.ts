import type { Instant } from '../domain/instant.ts';
import { POLICIES, POLICY_NAMES, policyText, type PolicyName } from './hub/policies.ts';

/**
 * Rate limits: token buckets that refill evenly (choices pipeline.limits). They live in this
 * process; a hub of several processes allows each caller that many times the quota, and never less
 * than it says.
 */
const BUCKETS_MAX = 100_000;

export interface RateNote {
  readonly limit: number;
  readonly remaining: number;
  /** As `policyText` writes it. */
  readonly policy: string;
  /** Set when the request is over the quota. */
  readonly retryAfterSeconds?: number;
}

/** The note of each policy before anything was taken. */
const FULL = Object.fromEntries(
  POLICY_NAMES.map((name) => {
    const { quota } = POLICIES[name];
    return [name, { limit: quota, remaining: quota, policy: policyText(name) }];
  }),
) as Readonly<Record<string, RateNote>> as Readonly<Record<PolicyName, RateNote>>;

export interface Limits {
  /** Takes one unit; the note says what is left, or how long to wait. */
  take(name: PolicyName, partition: string): RateNote;
  /** The same note without taking anything. */
  look(name: PolicyName, partition: string): RateNote;
  partitionOf(name: PolicyName): 'ip' | 'account';
}

interface Bucket {
  tokens: number;
  at: number;
}

export function openLimits(now: () => Instant, enabled: boolean): Limits {
  const buckets = new Map<string, Bucket>();

  const refilled = (name: PolicyName, partition: string): Bucket => {
    const { quota, windowSeconds } = POLICIES[name];
    const key = `${name} ${partition}`;
    const at = now();
    const bucket = buckets.get(key) ?? { tokens: quota, at };
    const earned = (Math.max(0, at - bucket.at) / 1000) * (quota / windowSeconds);
    bucket.tokens = Math.min(quota, bucket.tokens + earned);
    bucket.at = at;
    // Re-inserted, so the map's order is the order of last use and the oldest goes first.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > BUCKETS_MAX) dropOldest(buckets);
    return bucket;
  };

  const noteOf = (name: PolicyName, tokens: number, refused: boolean): RateNote => {
    const { limit, policy } = FULL[name];
    const remaining = Math.max(0, Math.floor(tokens));
    if (!refused) return { limit, remaining, policy };
    const { quota, windowSeconds } = POLICIES[name];
    const wait = Math.ceil(((1 - tokens) * windowSeconds) / quota);
    return { limit, remaining, policy, retryAfterSeconds: Math.max(1, wait) };
  };

  const note = (name: PolicyName, partition: string, cost: 0 | 1): RateNote => {
    if (!enabled) return FULL[name];
    const bucket = refilled(name, partition);
    if (bucket.tokens < 1) return noteOf(name, bucket.tokens, true);
    bucket.tokens -= cost;
    return noteOf(name, bucket.tokens, false);
  };

  return {
    take: (name, partition) => note(name, partition, 1),
    look: (name, partition) => note(name, partition, 0),
    partitionOf: (name) => POLICIES[name].partition,
  };
}

function dropOldest(buckets: Map<string, Bucket>): void {
  for (const key of buckets.keys()) {
    buckets.delete(key);
    return;
  }
}

/** The tighter of two notes: the one with the smaller share of its quota left. */
export function tighter(a: RateNote, b: RateNote): RateNote {
  return a.remaining * b.limit <= b.remaining * a.limit ? a : b;
}
