import type { Run } from './run.ts';

/** Counts of what a town met: a run without a silent judge proves nothing about silent judges. */
export type CoverageCounters = Readonly<Record<string, number>>;

export function coverageOf({ model, noted }: Pick<Run, 'model' | 'noted'>): CoverageCounters {
  const { tasks, agents, loans } = model;
  const all = [...tasks.values()];
  const rounds = all.flatMap((task) => task.rounds);
  const panelists = rounds.flatMap((round) =>
    round.panelists.map((panelist) => ({ round, panelist })),
  );
  const seats = agents.flatMap(({ seat }) => seat ?? []);
  const sum = (counts: readonly number[]): number => counts.reduce((total, n) => total + n, 0);
  return {
    accepted: rounds.filter(({ verdict }) => verdict === 'accepted').length,
    rejected: rounds.filter(({ verdict }) => verdict === 'rejected').length,
    undecided: rounds.filter(({ state }) => state === 'undecided').length,
    cancelled: rounds.filter(({ state }) => state === 'cancelled').length,
    'panels of five': rounds.filter(({ size }) => size === 5).length,
    'panels of one': rounds.filter(({ size }) => size === 1).length,
    'no-shows': sum(seats.map(({ noShows }) => noShows)),
    replaced: panelists.filter(({ round, panelist }) => panelist.place >= round.size).length,
    'against the majority': sum(seats.map(({ disagreed }) => disagreed)),
    retired: seats.filter(({ state }) => state === 'retired').length,
    overturned: sum(seats.map(({ overturned }) => overturned)),
    'judges kept their share': all.filter(({ kept }) => kept > 0n).length,
    disputes: all.filter(({ dispute }) => dispute !== undefined).length,
    loans: loans.length,
    ...Object.fromEntries(noted),
  };
}

export function added(one: CoverageCounters, other: CoverageCounters): CoverageCounters {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]),
  );
}
