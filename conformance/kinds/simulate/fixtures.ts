import { episode, printed, replay, type Episode } from './episode.ts';
import type { Numbered } from './model/operations.ts';
import { added, type CoverageCounters } from './coverageCounters.ts';
import { shrink } from './shrink.ts';

/** Many towns, each from a seed of its own, several at once; the first difference ends it. */
export interface Plan {
  readonly operations: number;
  readonly firstSeed: number;
  /** One lane for each: where its towns' databases come from. */
  readonly lanes: readonly Lane[];
  readonly report?: (line: string) => void;
  /** Operations of one town; many when absent. */
  readonly townOperations?: number;
  /** False leaves a failing run as long as it was. */
  readonly shrinks?: boolean;
}

export interface Lane {
  readonly name: string;
  readonly freshDatabase: () => Promise<string>;
}

/** Longer towns meet more of each other's work; shorter ones keep the databases small. */
const EPISODE_OPERATIONS = 1_000;

export interface Simulated {
  /** The difference, with the seed and the trace that shows it; undefined when there was none. */
  readonly found: string | undefined;
  readonly coverage: CoverageCounters;
}

export async function simulate(plan: Plan): Promise<Simulated> {
  const began = performance.now();
  const most = plan.townOperations ?? EPISODE_OPERATIONS;
  let [begun, done] = [0, 0];
  let nextSeed = plan.firstSeed;
  let isOver = false;
  let found: string | undefined;
  let coverage: CoverageCounters = {};
  const lane = async ({ name, freshDatabase }: Lane): Promise<void> => {
    while (begun < plan.operations && !isOver) {
      const operations = Math.min(most, plan.operations - begun);
      begun += operations;
      const place = { seed: nextSeed, freshDatabase };
      nextSeed += 1;
      const played = await episode({ ...place, operations });
      coverage = added(coverage, played.coverage);
      if (played.wrong.length > 0) {
        if (isOver) return;
        isOver = true;
        const title = `seed ${place.seed} on ${name}`;
        // At once and with the whole trace: making it short takes long, and may not see it again.
        const shrinks = plan.shrinks ?? true;
        const whole = [title, ...played.wrong, printed(played.operations)].join('\n');
        if (shrinks) plan.report?.(whole);
        found = shrinks ? await shortest(title, place, played) : whole;
        return;
      }
      done += operations;
      const rate = Math.round((done * 1000) / (performance.now() - began));
      plan.report?.(`seed ${place.seed} ${name}: ${done} operations, ${rate}/s, no difference`);
    }
  };
  await Promise.all(plan.lanes.map(lane));
  return { found, coverage };
}

async function shortest(
  title: string,
  place: { readonly seed: number; readonly freshDatabase: () => Promise<string> },
  { operations, wrong }: Episode,
): Promise<string> {
  const kind = kindOf(wrong);
  const fails = async (some: readonly Numbered[]): Promise<boolean> =>
    kindOf((await replay(place, some)).wrong) === kind;
  const least = await shrink(operations, fails);
  return [title, ...wrong, 'the shortest run that shows it:', printed(least)].join('\n');
}

/** A difference without this run's names and amounts: a shorter run must differ alike. */
function kindOf([first]: readonly string[]): string {
  return (first ?? '').split('\n')[0]?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]+|[0-9]+/g, '0') ?? '';
}
