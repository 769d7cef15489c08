import { claimTargets, forgetTargets, releaseTarget } from '../../db/registry/targets.ts';
import { instant } from '../../domain/instant.ts';
import type { Target } from '../../domain/registry/target.ts';
import type { Hub } from '../kernel/hub.ts';
import { logFailure } from '../kernel/logFailure.ts';
import { againIfFull, type Job } from '../kernel/job.ts';
import { findCopies } from './copies.ts';
import { readFeeds } from './crawlFeeds.ts';
import { probeOrigin } from './probe.ts';
import { planProbe } from './planProbe.ts';
import { readProbe, saveProbe } from './record.ts';
import { writeTexts } from './texts.ts';
import { CRAWL_TOPIC } from '../topics.ts';

/** Looks under way at once; the guard holds each host to a few of its own. */
const LOOKS_AT_ONCE = 24;
/** Probes of one run, which leaves time for other jobs of the driver. */
const LOOKS_A_RUN = 600;
const LOOK_MS_MAX = 240_000;
/** Longer than any look: a target is claimed again only when its look was killed. */
const CLAIM_MS = 300_000;
const FORGET_MS = 30 * 86_400_000;
const FORGET_AT_ONCE = 500;

/**
 * Looks at the origins that are due. Several processes share the work: each target is claimed by a
 * row of the database before it is looked at, and a claim that is not ended expires.
 */
async function crawl(hub: Hub): Promise<number | undefined> {
  let done = 0;
  const worker = async (): Promise<void> => {
    while (done < LOOKS_A_RUN) {
      const claim = hub.ids.uuid();
      const now = hub.clock.now();
      const until = instant(now + CLAIM_MS);
      const [target] = await hub.store.write((tx) =>
        claimTargets(tx, { claim, until, now, limit: 1 }),
      );
      if (target === undefined) return;
      done += 1;
      try {
        if (!(await lookAtTarget(hub, target, claim))) return;
      } catch (error) {
        // One origin must not stop the others; its claim runs out, and it is looked at again.
        logFailure(hub.log, error, 'a look failed', { origin: target.origin });
      }
    }
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, worker));
  return done >= LOOKS_A_RUN ? 0 : undefined;
}

/** False when the hub itself broke the look off, because it closes or is too busy. */
async function lookAtTarget(hub: Hub, target: Target, claim: string): Promise<boolean> {
  const { store } = hub;
  const plan = await store.read((db) => planProbe(db, target, hub.clock.now()));
  const signal = AbortSignal.timeout(LOOK_MS_MAX);
  const seen = await probeOrigin(hub, { ...plan, tools: 'due', isUrgent: false, signal });
  if (seen.lost) {
    await store.write((tx) => releaseTarget(tx, target.origin, claim));
    return false;
  }
  const recorded = readProbe(plan, seen);
  const chance = (hub.random(2)[0] ?? 0) / 255;
  const now = hub.clock.now();
  await store.write((tx) => saveProbe(tx, { plan, target, claim, seen, recorded, chance, now }));
  return true;
}

export const jobs: readonly Job[] = [
  { name: 'crawl', everySeconds: 5, topic: CRAWL_TOPIC, reachesOut: true, run: crawl },
  { name: 'listingTexts', everySeconds: 5, run: writeTexts },
  { name: 'listingCopies', everySeconds: 5, run: findCopies },
  { name: 'crawlFeeds', everySeconds: 30, reachesOut: true, run: readFeeds },
  {
    name: 'forgetOrigins',
    everySeconds: 3_600,
    run: async ({ store, clock }) => {
      const before = instant(clock.now() - FORGET_MS);
      const gone = await store.write((tx) => forgetTargets(tx, before, FORGET_AT_ONCE));
      return againIfFull(gone, FORGET_AT_ONCE);
    },
  },
];
