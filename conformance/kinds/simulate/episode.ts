import { firstRaid } from './gang.ts';
import { chooseOperation } from './generate.ts';
import { textOf } from './model/model.ts';
import type { Numbered } from './model/operations.ts';
import type { Conduct } from './model/types.ts';
import { openRun, type Run } from './run.ts';
import { randomFrom } from './random.ts';
import { FIRST_JUDGE } from './fixture.ts';
import { coverageOf, type CoverageCounters } from './coverageCounters.ts';
import { openSite, type Site } from './site.ts';

/** One town from its first day: some operations chosen by a seed, then the audit. */
export interface EpisodeOptions {
  readonly seed: number;
  readonly operations: number;
  readonly freshDatabase: () => Promise<string>;
}

export interface Episode {
  readonly operations: readonly Numbered[];
  /** Empty when the hub and the model agreed to the end. */
  readonly wrong: readonly string[];
  readonly coverage: CoverageCounters;
}

const AGENTS = 20;
const FUNDED = [0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17, 18, 19];
const FIRST_MONEY = 400_000_000n;

/** The judges that a town of judges begins with, and what its first ones are like. */
const FIRST_STAKES = [20_000_000n, 20_000_000n, 2_000_000n];
const FIRST_CONDUCTS: readonly Conduct[] = ['liar', 'rejects', 'shy', 'closed'];

function moneyOf(by: number): bigint {
  return FUNDED.includes(by) ? FIRST_MONEY : 0n;
}

/** The operations that agents start with: the first publish with their money, the last stake it. */
function beginning(seed: number): readonly Numbered[] {
  const funded = FUNDED.map((by) => ({
    n: -1 - by,
    do: 'faucet' as const,
    by,
    amount: FIRST_MONEY,
    key: 'first',
  }));
  if (isGangOf(seed)) return [...funded, ...firstRaid(moneyOf)];
  if (!isCourtOf(seed)) return funded;
  const judges = FUNDED.filter((by) => by >= FIRST_JUDGE);
  const seats = judges.map((by, place) => ({
    n: -101 - by,
    do: 'seat' as const,
    by,
    stake: FIRST_STAKES[place % FIRST_STAKES.length] ?? 0n,
  }));
  const conducts = judges.map((by, place) => ({
    n: -201 - by,
    do: 'behave' as const,
    by,
    conduct: FIRST_CONDUCTS[place] ?? 'honest',
    isProbedWell: true,
  }));
  return [...funded, ...seats, ...conducts];
}

export async function episode({
  seed,
  operations,
  freshDatabase,
}: EpisodeOptions): Promise<Episode> {
  return onSite(seed, freshDatabase, async (site, run) => {
    const random = randomFrom(seed);
    const done: Numbered[] = [];
    const fixture = {
      isCourt: isCourtOf(seed),
      isGang: isGangOf(seed),
      isMortal: isMortalOf(seed),
    };
    for (let n = 1; n <= operations; n += 1) {
      const op: Numbered = {
        ...chooseOperation({ model: run.model, random, done, ...fixture }),
        n,
      };
      done.push(op);
      const wrong = await attempt(run, op);
      if (wrong.length > 0) return { operations: done, wrong, coverage: coverageOf(run) };
    }
    const wrong = await ending(site, run);
    return { operations: done, wrong, coverage: coverageOf(run) };
  });
}

/** Every other town is one of judges. */
function isCourtOf(seed: number): boolean {
  return seed % 2 === 0;
}

/** In every fourth town, none of them of judges, a gang lives on advances. */
function isGangOf(seed: number): boolean {
  return seed % 4 === 1;
}

/** In every seventh town the hub has a process of its own, and dies now and then. */
function isMortalOf(seed: number): boolean {
  return seed % 7 === 0;
}

/** The same run again with these operations only. */
export async function replay(
  { seed, freshDatabase }: Omit<EpisodeOptions, 'operations'>,
  operations: readonly Numbered[],
): Promise<Episode> {
  return onSite(seed, freshDatabase, async (site, run) => {
    for (const op of operations) {
      const wrong = await attempt(run, op);
      if (wrong.length > 0) return { operations, wrong, coverage: coverageOf(run) };
    }
    const wrong = await ending(site, run);
    return { operations, wrong, coverage: coverageOf(run) };
  });
}

async function onSite(
  seed: number,
  freshDatabase: () => Promise<string>,
  work: (site: Site, run: Run) => Promise<Episode>,
): Promise<Episode> {
  const site = await openSite(await freshDatabase(), {
    seed,
    agents: AGENTS,
    isMortal: isMortalOf(seed),
  });
  try {
    const run = openRun(site);
    for (const op of beginning(seed)) await attempt(run, op);
    return await work(site, run);
  } finally {
    await site.close();
  }
}

async function attempt(run: Run, op: Numbered): Promise<readonly string[]> {
  try {
    return (await run.step(op)) ?? [];
  } catch (error) {
    return [`${op.n} ${op.do}: ${error instanceof Error ? error.stack : String(error)}`];
  }
}

async function ending(site: Site, run: Run): Promise<readonly string[]> {
  const wrong = [
    ...(await attempt(run, { n: 0, do: 'wait', seconds: 0, jobs: true })),
    ...(await run.compareAll()),
  ];
  if (wrong.length > 0) return wrong;
  return site.audit().then(
    () => [],
    (error: unknown) => [`audit: ${String(error)}`],
  );
}

export function printed(operations: readonly Numbered[]): string {
  return operations.map((op) => `${op.n} ${textOf(op)}${deathOf(op)}`).join('\n');
}

function deathOf(op: Numbered): string {
  return 'dies' in op ? ` dies ${JSON.stringify(op.dies)}` : '';
}
