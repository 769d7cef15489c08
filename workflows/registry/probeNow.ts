import { claimTarget, releaseTarget } from '../../db/registry/targets.ts';
import { instant } from '../../domain/instant.ts';
import type { Hint, Target } from '../../domain/registry/target.ts';
import type { ToolTurn } from '../../domain/registry/toolSkill.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import type { Address } from './address.ts';
import { look, type LookSeen } from './probe.ts';
import { finishLook, planLook, readLook, saveLook, type Recorded } from './record.ts';

/** Looks while somebody waits for the answer: shorter pauses, and an end before patience ends. */
const LOOK_MS_MAX = 25_000;
const CLAIM_MS = 60_000;

/** Looks at an address and keeps nothing. */
export async function dryLook(
  hub: Hub,
  { origin }: Address,
  hint: Hint,
): Promise<{ readonly seen: LookSeen; readonly recorded: Recorded }> {
  const plan = await hub.store.read((db) => planLook(db, { origin, hints: [hint] }));
  const signal = AbortSignal.timeout(LOOK_MS_MAX);
  const seen = await look(hub, { ...plan, tools: 'due', isUrgent: true, signal });
  if (seen.lost) refuse('busy');
  return { seen, recorded: readLook(plan, seen) };
}

/** Looks at an address and keeps what it saw, unless another look at the origin is under way. */
export async function lookNow(
  hub: Hub,
  { origin, host }: Address,
  hint: Hint,
  tools: ToolTurn,
): Promise<void> {
  const claim = hub.ids.uuid();
  const now = hub.clock.now();
  const until = instant(now + CLAIM_MS);
  const wanted = { origin, host, hint, claim, until, now };
  const target: Target | undefined = await hub.store.write((tx) => claimTarget(tx, wanted));
  // The crawler is there at this moment: what it finds is as fresh.
  if (target === undefined) return;
  const plan = await hub.store.read((db) => planLook(db, target));
  const signal = AbortSignal.timeout(LOOK_MS_MAX);
  const hints = [hint, ...target.hints.filter(({ kind }) => kind !== undefined)];
  const seen = await look(hub, { ...plan, hints, tools, isUrgent: true, signal });
  if (seen.lost) {
    await hub.store.write((tx) => releaseTarget(tx, origin, claim));
    refuse('busy');
  }
  const recorded = readLook(plan, seen);
  const chance = (hub.random(1)[0] ?? 0) / 255;
  await hub.store.write(async (tx) => {
    if (!(await finishLook(tx, target, claim, seen, recorded, chance))) return;
    await saveLook(tx, origin, seen, recorded);
  });
}
