import { freshChecksOf, lockFreshChecks, saveFreshChecks } from '../../db/registry/probes.ts';
import type { Reader } from '../../db/store.ts';
import type { Instant } from '../../domain/instant.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

/**
 * Probes of untrusted hosts that a caller may request (choices pipeline.limits): a number within
 * any hour, stored for all processes. They are unlimited where `HUB_RATE_LIMITS` is off.
 */
export interface Quota {
  /** As headers name it. */
  readonly policy: string;
  readonly max: number;
  /** Why there is none left, and what works instead. */
  readonly error: string;
  readonly hint: string;
}

const WINDOW_MS = 3_600_000;

function within(taken: readonly Instant[], now: Instant): readonly Instant[] {
  return taken.filter((at) => now - at < WINDOW_MS && at <= now);
}

/** Returns how many are left under this name, without taking one. */
export async function quotaLeft(
  db: Reader,
  hub: Hub,
  { max }: Quota,
  name: string,
): Promise<number> {
  if (!hub.settings.rateLimits) return max;
  const taken = within(await freshChecksOf(db, name), hub.clock.now());
  return Math.max(0, max - taken.length);
}

/** Takes one; without one left it returns when the oldest was taken. */
async function takeOne(hub: Hub, { max }: Quota, name: string): Promise<Instant | undefined> {
  if (!hub.settings.rateLimits) return undefined;
  const now = hub.clock.now();
  return hub.store.write(async (tx) => {
    const taken = within(await lockFreshChecks(tx, name), now);
    if (taken.length >= max) return taken[0];
    await saveFreshChecks(tx, name, [...taken, now]);
    return undefined;
  });
}

/** Takes one if there is one left. */
export async function mayTake(hub: Hub, quota: Quota, name: string): Promise<boolean> {
  return (await takeOne(hub, quota, name)) === undefined;
}

/** Takes one, or refuses with the time when the next is free. */
export async function takeQuota(hub: Hub, ration: Quota, name: string): Promise<void> {
  const oldest = await takeOne(hub, ration, name);
  if (oldest === undefined) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest + WINDOW_MS - hub.clock.now()) / 1000));
  const { error, hint } = ration;
  refuse(
    'rate-limited',
    { error, hint, retryAfterSeconds },
    {
      'retry-after': `${retryAfterSeconds}`,
      'x-ratelimit-limit': `${ration.max}`,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-policy': `"${ration.policy}";q=${ration.max};w=${WINDOW_MS / 1000}`,
    },
  );
}
