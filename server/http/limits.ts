import type { Instant } from '../../domain/instant.ts';
import {
  POLICIES,
  POLICY_NAMES,
  policyText,
  type PolicyName,
} from '../../workflows/kernel/policies.ts';

/**
 * Rate limits: token buckets that refill evenly (choices pipeline.limits). They live in this
 * process; `untold` and `charge` are how processes of one hub count together (`limitExchange.ts`).
 */
const BUCKETS_MAX = 100_000;
/** A bucket in the deepest debt is full again after two windows. */
const DEBT_WINDOWS = 2;
/** Callers that used less than this part of their quota are not reported to other processes. */
const TOLD_BELOW = 0.75;
/** No address and no account is written so. */
const OVERFLOW = '*';

export interface RateNote {
  readonly limit: number;
  readonly remaining: number;
  /** As `policyText` writes it. */
  readonly policy: string;
  /** Set when the request is over the quota. */
  readonly retryAfterSeconds?: number;
}

const FULL = Object.fromEntries(
  POLICY_NAMES.map((name) => {
    const { quota } = POLICIES[name];
    return [name, { limit: quota, remaining: quota, policy: policyText(name) }];
  }),
) as Readonly<Record<string, RateNote>> as Readonly<Record<PolicyName, RateNote>>;

export interface Limits {
  /** Takes one unit; the note says what is left, or how long to wait. */
  take(name: PolicyName, partition: string): RateNote;
  /** Takes units for work that was done already, into debt of one quota at most. */
  spend(name: PolicyName, partition: string, units: number): RateNote;
  /** The same note without taking anything. */
  look(name: PolicyName, partition: string): RateNote;
  partitionOf(name: PolicyName): 'ip' | 'account';
  /** Returns what was let through since the last call, of buckets that are well in use. */
  untold(): readonly Taken[];
  /** Takes what other processes let through; a bucket may go into debt of one quota by it. */
  charge(taken: readonly Taken[]): void;
}

export type Taken = readonly [name: PolicyName, partition: string, units: number];

interface Bucket {
  tokens: number;
  at: number;
  /** Units that were not reported to other processes. */
  untold: number;
}

export function openLimits(now: () => Instant, enabled: boolean, bucketsMax = BUCKETS_MAX): Limits {
  // Buckets are grouped by window, so that those of a minute cannot crowd out those of a day.
  const windows = new Map<number, Map<string, Bucket>>();
  const inUse = new Map<Bucket, readonly [PolicyName, string]>();

  /** Forgets buckets that are full again; false when there are too many that are not. */
  const hasRoom = (buckets: Map<string, Bucket>, fullSince: number): boolean => {
    for (const [key, bucket] of buckets) {
      if (buckets.size < bucketsMax) return true;
      // In the order of last use, so all that follow are in use as well.
      if (bucket.at > fullSince) return false;
      buckets.delete(key);
      inUse.delete(bucket);
    }
    return buckets.size < bucketsMax;
  };

  const refilled = (name: PolicyName, partition: string): Bucket => {
    const { quota, windowSeconds } = POLICIES[name];
    const buckets = windows.get(windowSeconds) ?? new Map<string, Bucket>();
    windows.set(windowSeconds, buckets);
    const at = now();
    const own = `${name} ${partition}`;
    const isKnown = buckets.has(own) || hasRoom(buckets, at - DEBT_WINDOWS * windowSeconds * 1000);
    // One bucket for all that come when every other is still in use: none in debt is forgotten.
    const key = isKnown ? own : `${name} ${OVERFLOW}`;
    const bucket = buckets.get(key) ?? { tokens: quota, at, untold: 0 };
    const earned = (Math.max(0, at - bucket.at) / 1000) * (quota / windowSeconds);
    bucket.tokens = Math.min(quota, bucket.tokens + earned);
    bucket.at = at;
    // Re-inserted, so the map's order is the order of last use and the oldest goes first.
    buckets.delete(key);
    buckets.set(key, bucket);
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
    reduce(bucket, [name, partition], cost);
    return noteOf(name, bucket.tokens, false);
  };

  const reduce = (
    bucket: Bucket,
    [name, partition]: readonly [PolicyName, string],
    units: number,
  ): void => {
    const { quota } = POLICIES[name];
    bucket.tokens = Math.max(-quota, bucket.tokens - units);
    bucket.untold += units;
    if (bucket.tokens < quota * TOLD_BELOW) inUse.set(bucket, [name, partition]);
  };

  return {
    take: (name, partition) => note(name, partition, 1),
    look: (name, partition) => note(name, partition, 0),
    spend(name, partition, units) {
      if (!enabled) return FULL[name];
      const bucket = refilled(name, partition);
      reduce(bucket, [name, partition], units);
      return noteOf(name, bucket.tokens, false);
    },
    partitionOf: (name) => POLICIES[name].partition,
    untold() {
      const taken = [...inUse].flatMap(([bucket, [name, partition]]): readonly Taken[] => {
        // Units that were taken long ago have been refilled since.
        const units = Math.min(bucket.untold, Math.ceil(POLICIES[name].quota - bucket.tokens));
        bucket.untold = 0;
        return units > 0 ? [[name, partition, units]] : [];
      });
      inUse.clear();
      return taken;
    },
    charge(taken) {
      if (!enabled) return;
      for (const [name, partition, units] of taken) {
        const bucket = refilled(name, partition);
        bucket.tokens = Math.max(-POLICIES[name].quota, bucket.tokens - units);
      }
    },
  };
}

/** The tighter of two notes: the one with the smaller share of its quota left. */
export function tighter(a: RateNote, b: RateNote): RateNote {
  return a.remaining * b.limit <= b.remaining * a.limit ? a : b;
}
