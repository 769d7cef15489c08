import type { Verdict } from './panel.ts';

/**
 * Planted tasks look real (choices validators.planted). Invariant: all that others see, the text
 * aside, is copied from one real task drawn at random, so all figures are distributed alike.
 */
export interface JudgedTask {
  readonly rewardAtomic: number;
  readonly network?: string;
  readonly mode: 'open' | 'exclusive';
  readonly maxAttempts: number;
  readonly deadlineSeconds: number;
  readonly autoAcceptSeconds?: number;
  readonly disputeWindowSeconds: number;
  readonly requiredSkills: readonly string[];
  readonly descriptionBytes: number;
  readonly inputBytes: number;
  readonly resultBytes: number;
  /** From the claim to the delivery. */
  readonly workSeconds: number;
  /** How long before this task its requester published the first one, and how many in between. */
  readonly requesterAgeSeconds: number;
  readonly requesterTasks: number;
  readonly createdAtSeconds: number;
}

/** One case of the operator's own, with the verdict that is right. */
export interface BankItem {
  readonly title: string;
  readonly description: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly answer: Verdict;
}

export interface Plant {
  readonly item: BankItem;
  /** The real task whose visible figures the planted one takes. */
  readonly like: JudgedTask;
  readonly publishAfterSeconds: number;
}

/** With fewer real tasks there is nothing to look like. */
export const REAL_MIN = 20;

/** Draws a planted task, one for every so many real ones; `random` returns values from 0 to 1. */
export function drawPlant(
  random: () => number,
  real: readonly JudgedTask[],
  { bank, every }: { readonly bank: readonly BankItem[]; readonly every: number },
): Plant | undefined {
  const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
  const like = pick(real);
  const item = like && pick(nearest(bank, like));
  if (like === undefined || item === undefined || real.length < REAL_MIN) return undefined;
  const gaps = gapsOf(real);
  const waits = Array.from({ length: every }, () => pick(gaps) ?? 0);
  return { item, like, publishAfterSeconds: waits.reduce((sum, each) => sum + each, 0) };
}

/** The cases whose texts are nearest to a task in length, so that the length is no sign. */
const NEAREST = 5;
function nearest(bank: readonly BankItem[], like: JudgedTask): readonly BankItem[] {
  const bytes = like.descriptionBytes + like.inputBytes + like.resultBytes;
  const far = (item: BankItem): number => Math.abs(Math.log((1 + sizeOf(item)) / (1 + bytes)));
  return [...bank].sort((a, b) => far(a) - far(b)).slice(0, NEAREST);
}

function sizeOf({ description, input, result }: BankItem): number {
  const text = `${description}${JSON.stringify(input ?? '')}${JSON.stringify(result)}`;
  return new TextEncoder().encode(text).length;
}

function gapsOf(tasks: readonly JudgedTask[]): readonly number[] {
  const times = tasks.map(({ createdAtSeconds }) => createdAtSeconds).sort((a, b) => a - b);
  return times.slice(1).map((at, n) => at - (times[n] ?? at));
}

const FEATURES = {
  reward: (task) => task.rewardAtomic,
  'attempts allowed': (task) => task.maxAttempts,
  deadline: (task) => task.deadlineSeconds,
  'dispute window': (task) => task.disputeWindowSeconds,
  skills: (task) => task.requiredSkills.length,
  'length of description': (task) => task.descriptionBytes,
  'length of input': (task) => task.inputBytes,
  'length of result': (task) => task.resultBytes,
  'time of work': (task) => task.workSeconds,
  'age of requester': (task) => task.requesterAgeSeconds,
  'earlier tasks of requester': (task) => task.requesterTasks,
  'hour of day': (task) => Math.floor(task.createdAtSeconds / 3_600) % 24,
} as const satisfies Readonly<Record<string, (task: JudgedTask) => number>>;

export interface Compared {
  readonly feature: string;
  /** The largest difference of the two distributions, from 0 to 1. */
  readonly distance: number;
  /** Up to here chance explains it, at a level of 1%. */
  readonly limit: number;
}

/** Compares each visible figure of planted tasks with real ones (Kolmogorov and Smirnov). */
export function comparePlants(
  planted: readonly JudgedTask[],
  real: readonly JudgedTask[],
): readonly Compared[] {
  const [n, m] = [planted.length, real.length];
  const limit = 1.628 * Math.sqrt((n + m) / (n * m));
  return Object.entries(FEATURES).map(([feature, of]) => ({
    feature,
    distance: distance(planted.map(of), real.map(of)),
    limit,
  }));
}

function distance(a: readonly number[], b: readonly number[]): number {
  const shareUpTo = (values: readonly number[], at: number): number =>
    values.filter((value) => value <= at).length / values.length;
  const places = [...new Set([...a, ...b])];
  return Math.max(...places.map((at) => Math.abs(shareUpTo(a, at) - shareUpTo(b, at))));
}
