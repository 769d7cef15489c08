import { claimTarget, releaseTarget } from '../../db/registry/targets.ts';
import { instant } from '../../domain/instant.ts';
import type { SeedUrl, Target } from '../../domain/registry/target.ts';
import type { ToolSelection } from '../../domain/registry/toolSkill.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import type { Address } from './address.ts';
import { probeOrigin, type ProbedOrigin } from './probe.ts';
import { finishProbe, planProbe, readProbe, saveProbe, type Recorded } from './record.ts';

/** Looks while somebody waits for the answer: shorter pauses, and an end before patience ends. */
const LOOK_MS_MAX = 25_000;
const CLAIM_MS = 60_000;

/** Looks at an address and keeps nothing. */
export async function dryProbe(
  hub: Hub,
  { origin }: Address,
  hint: SeedUrl,
): Promise<{ readonly seen: ProbedOrigin; readonly recorded: Recorded }> {
  const plan = await hub.store.read((db) => planProbe(db, { origin, hints: [hint] }));
  const signal = AbortSignal.timeout(LOOK_MS_MAX);
  const seen = await probeOrigin(hub, { ...plan, tools: 'due', isUrgent: true, signal });
  if (seen.lost) refuse('busy');
  return { seen, recorded: readProbe(plan, seen) };
}

/** Looks at an address and keeps what it saw, unless another look at the origin is under way. */
export async function probeNow(
  hub: Hub,
  { origin, host }: Address,
  hint: SeedUrl,
  tools: ToolSelection,
): Promise<void> {
  const claim = hub.ids.uuid();
  const now = hub.clock.now();
  const until = instant(now + CLAIM_MS);
  const wanted = { origin, host, hint, claim, until, now };
  const target: Target | undefined = await hub.store.write((tx) => claimTarget(tx, wanted));
  // The crawler is there at this moment: what it finds is as fresh.
  if (target === undefined) return;
  const plan = await hub.store.read((db) => planProbe(db, target));
  const signal = AbortSignal.timeout(LOOK_MS_MAX);
  const hints = [hint, ...target.hints.filter(({ kind }) => kind !== undefined)];
  const seen = await probeOrigin(hub, { ...plan, seedUrls: hints, tools, isUrgent: true, signal });
  if (seen.lost) {
    await hub.store.write((tx) => releaseTarget(tx, origin, claim));
    refuse('busy');
  }
  const recorded = readProbe(plan, seen);
  const chance = (hub.random(1)[0] ?? 0) / 255;
  await hub.store.write(async (tx) => {
    if (!(await finishProbe(tx, target, claim, seen, recorded, chance))) return;
    await saveProbe(tx, origin, seen, recorded, hub.clock.now());
  });
}
