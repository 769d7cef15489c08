/** Lengths of long walks: short in `npm test`, full in `npm run soak`. `KILLS=100` sets one. */
interface Lengths {
  /** Kills of a hub that moves money (conformance/kinds/kill). */
  readonly kills: number;
  /** Kills of a hub that pays out on a chain, on each database (conformance/rails). */
  readonly railKills: number;
  /** Kills of a hub among its pulses (conformance/time). */
  readonly pulseKills: number;
  /** Random requests of each operation (conformance/kinds/fuzz). */
  readonly fuzzRuns: number;
  /** Towns of the simulation, on each database; their seeds follow each other from the first. */
  readonly towns: number;
  readonly townOperations: number;
  readonly firstTown: number;
  /** Operations of each simulation beside the towns, on each database. */
  readonly memoryOperations: number;
  readonly railOperations: number;
  readonly gameOperations: number;
  /** Tasks that the tables have before an upgrade (conformance/operator). */
  readonly upgradedTasks: number;
}

/** The towns from 12 on: one of judges, one without many, and one of judges whose hub dies. */
const FIRST_TOWN = 12;
const SHORT: Lengths = {
  kills: 4,
  railKills: 10,
  pulseKills: 4,
  fuzzRuns: 4,
  towns: 3,
  townOperations: 160,
  firstTown: FIRST_TOWN,
  memoryOperations: 400,
  railOperations: 160,
  gameOperations: 360,
  upgradedTasks: 20_000,
};
const FULL: Lengths = {
  kills: 25,
  railKills: 200,
  pulseKills: 10,
  fuzzRuns: 100,
  towns: 30,
  townOperations: 160,
  firstTown: FIRST_TOWN,
  memoryOperations: 5_000,
  railOperations: 2_000,
  gameOperations: 6_000,
  upgradedTasks: 1_000_000,
};

const form = process.env['SOAK'] === '1' ? FULL : SHORT;
const given = (name: string, usual: number): number => Number(process.env[name] ?? usual);

export const LENGTHS: Lengths = {
  ...form,
  kills: given('KILLS', form.kills),
  railKills: given('KILLS', form.railKills),
  pulseKills: given('KILLS', form.pulseKills),
  fuzzRuns: given('FUZZ_RUNS', form.fuzzRuns),
  upgradedTasks: given('UPGRADED_TASKS', form.upgradedTasks),
};
