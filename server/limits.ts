import type { Instant } from '../domain/instant.ts';
import type { LimitName } from './hub/operation.ts';

/**
 * Rate limits: token buckets that refill evenly (choices pipeline.limits). They live in this
 * process; a hub of several processes allows each caller that many times the quota, and never less
 * than it says.
 */
export type PolicyName = 'anon' | 'introduced' | 'signed' | 'unverified' | LimitName;
interface Policy {
  readonly quota: number;
  readonly windowSeconds: number;
  readonly partition: 'ip' | 'account';
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const POLICIES: Readonly<Record<PolicyName, Policy>> = {
  anon: { quota: 300, windowSeconds: MINUTE, partition: 'ip' },
  introduced: { quota: 1200, windowSeconds: MINUTE, partition: 'ip' },
  signed: { quota: 1200, windowSeconds: MINUTE, partition: 'account' },
  // A failed signature costs the sender's address, never the account that it names.
  unverified: { quota: 300, windowSeconds: MINUTE, partition: 'ip' },
  money: { quota: 300, windowSeconds: MINUTE, partition: 'account' },
  act: { quota: 240, windowSeconds: MINUTE, partition: 'account' },
  search: { quota: 60, windowSeconds: MINUTE, partition: 'ip' },
  verify: { quota: 60, windowSeconds: MINUTE, partition: 'ip' },
  stamp: { quota: 120, windowSeconds: MINUTE, partition: 'ip' },
  submit: { quota: 60, windowSeconds: MINUTE, partition: 'ip' },
  handshake: { quota: 60, windowSeconds: HOUR, partition: 'ip' },
  faucet: { quota: 200, windowSeconds: DAY, partition: 'ip' },
};

const BUCKETS_MAX = 100_000;

export interface RateNote {
  readonly limit: number;
  readonly remaining: number;
  /** `"anon";q=300;w=60;pk=ip`, the form of the IETF rate-limit-headers draft. */
  readonly policy: string;
  /** Set when the request is over the quota. */
  readonly retryAfterSeconds?: number;
}

/** The note of each policy before anything was taken. */
const FULL = Object.fromEntries(
  Object.entries(POLICIES).map(([name, { quota, windowSeconds, partition }]) => [
    name,
    {
      limit: quota,
      remaining: quota,
      policy: `"${name}";q=${quota};w=${windowSeconds};pk=${partition}`,
    },
  ]),
) as Readonly<Record<string, RateNote>> as Readonly<Record<PolicyName, RateNote>>;

/** A policy as `x-ratelimit-policy` names it. */
export function policyText(name: PolicyName): string {
  return FULL[name].policy;
}

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
