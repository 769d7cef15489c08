import { freshChecksOf, saveFreshChecks } from '../../db/registry/looks.ts';
import type { Reader } from '../../db/store.ts';
import type { Instant } from '../../domain/instant.ts';
import { refuse } from '../../server/errors.ts';
import type { Hub } from '../../server/hub.ts';

/**
 * Looks that a caller may ask for at once (choices 10.2, `verify-fresh`): ten within any hour, kept
 * in the database so that all processes count the same. Fresh checks and dry runs share them. Like the
 * buckets, they are unlimited where `HUB_RATE_LIMITS` is off.
 */
const FRESH_MAX = 10;
const WINDOW_MS = 3_600_000;

function within(taken: readonly Instant[], now: Instant): readonly Instant[] {
  return taken.filter((at) => now - at < WINDOW_MS && at <= now);
}

/** How many are left, without taking one. */
export async function freshLeft(db: Reader, hub: Hub, ip: string): Promise<number> {
  if (!hub.settings.rateLimits) return FRESH_MAX;
  const taken = within(await freshChecksOf(db, hub.partitionOf(ip)), hub.clock.now());
  return Math.max(0, FRESH_MAX - taken.length);
}

/** Takes one, or refuses with the time when the next is free. */
export async function takeFresh(hub: Hub, ip: string): Promise<void> {
  if (!hub.settings.rateLimits) return;
  const caller = hub.partitionOf(ip);
  const now = hub.clock.now();
  const oldest = await hub.store.write(async (tx) => {
    const taken = within(await freshChecksOf(tx, caller), now);
    if (taken.length >= FRESH_MAX) return taken[0];
    await saveFreshChecks(tx, caller, [...taken, now]);
    return undefined;
  });
  if (oldest === undefined) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000));
  const error = `Fresh checks and dry runs are rationed to ${FRESH_MAX} an hour for each caller.`;
  const hint = 'Ask without `fresh`, or read the submission record of the origin.';
  refuse(
    'rate-limited',
    { error, hint, retryAfterSeconds },
    { 'retry-after': `${retryAfterSeconds}` },
  );
}
