import { claimTarget, releaseTarget } from '../../db/registry/targets.ts';
import { instant } from '../../domain/instant.ts';
import type { SeedUrl, Target } from '../../domain/registry/target.ts';
import type { ToolSelection } from '../../domain/registry/toolSkill.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Address } from './address.ts';
import { probeOrigin, type ProbedOrigin } from './probe.ts';
import { planProbe } from './planProbe.ts';
import { readProbe, saveProbe, type Recorded } from './record.ts';

/** Probes for a waiting caller: shorter pauses, and an end before its timeout. */
const LOOK_MS_MAX = 25_000;
const CLAIM_MS = 60_000;

/** Looks at an address and keeps nothing. */
export async function dryProbe(
  hub: Hub,
  { origin }: Address,
  hint: SeedUrl,
): Promise<{ readonly seen: ProbedOrigin; readonly recorded: Recorded }> {
  const now = hub.clock.now();
  const target = { origin, hints: [hint] };
  const plan = await hub.store.read((db) => planProbe(db, target, now, hint));
  const signal = AbortSignal.timeout(LOOK_MS_MAX);
  const seen = await probeOrigin(hub, { ...plan, tools: 'due', isUrgent: true, signal });
  if (seen.lost) refuse('busy');
  return { seen, recorded: readProbe(plan, seen) };
}

/** How long a caller waits for another look at the same origin. */
const WAIT_MS_MAX = 10_000;
const WAIT_STEP_MS = 200;

/** Looks at an address and stores the result. `busy` when another look at the origin goes on. */
export async function probeNow(
  hub: Hub,
  { origin, host }: Address,
  hint: SeedUrl,
  tools: ToolSelection,
): Promise<void> {
  const claim = hub.ids.uuid();
  // The look under way may ask other addresses than this one, so its result does not do.
  const target = await claimSoon(hub, { origin, host, hint, claim });
  const startedAt = hub.clock.now();
  const plan = await hub.store.read((db) => planProbe(db, target, startedAt, hint));
  const signal = AbortSignal.timeout(LOOK_MS_MAX);
  const seen = await probeOrigin(hub, { ...plan, tools, isUrgent: true, signal });
  if (seen.lost) {
    await hub.store.write((tx) => releaseTarget(tx, origin, claim));
    refuse('busy');
  }
  const recorded = readProbe(plan, seen);
  const chance = (hub.random(1)[0] ?? 0) / 255;
  const now = hub.clock.now();
  await hub.store.write((tx) =>
    saveProbe(tx, { plan, target, claim, seen, recorded, chance, now }),
  );
}

async function claimSoon(
  hub: Hub,
  wanted: Pick<Parameters<typeof claimTarget>[1], 'origin' | 'host' | 'hint' | 'claim'>,
): Promise<Target> {
  const { clock, notifier, store } = hub;
  const startedAt = clock.elapsedMs();
  for (;;) {
    const now = clock.now();
    const until = instant(now + CLAIM_MS);
    const target = await store.write((tx) => claimTarget(tx, { ...wanted, until, now }));
    if (target !== undefined) return target;
    if (clock.elapsedMs() - startedAt >= WAIT_MS_MAX) refuse('busy');
    await notifier.wait('', notifier.published(''), WAIT_STEP_MS);
  }
}
