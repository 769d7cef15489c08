import { quantile } from './quantile.ts';
import type { Sample } from './samples.ts';

/** The figures of a run from its samples; pure, with tests beside. */
export interface Slope {
  readonly pid: number | undefined;
  readonly hub: number;
  readonly minutes: number;
  readonly firstBytes: number;
  readonly lastBytes: number;
  /** Fifth by fifth, to distinguish memory that fills up once from memory that grows. */
  readonly fifths: readonly Fifth[];
  /** The median of the slopes between all pairs of samples (Theil-Sen): a spike moves it not. */
  readonly bytesPerHour: number;
  /** The same of the last three fifths, when what is bounded has filled up. */
  readonly laterBytesPerHour: number;
}

export interface Fifth {
  readonly rssBytes: number;
  readonly heapTotalBytes: number;
  readonly externalBytes: number;
  /** The least that the heap held: garbage is in all the others. */
  readonly heapBytes: number;
}

const HOUR_MS = 3_600_000;
/** More pairs than these add no precision. */
const SAMPLES_MAX = 400;
const FIFTHS = 5;
const LATER_FROM = 2 / FIFTHS;

/** The slope of the memory of the process that lived longest after the warm-up. */
export function memorySlope(samples: readonly Sample[], from: number): Slope | undefined {
  const lives = new Map<number | undefined, Sample[]>();
  for (const sample of samples) {
    if (sample.at >= from) lives.set(sample.pid, [...(lives.get(sample.pid) ?? []), sample]);
  }
  const [longest] = [...lives.values()].sort((a, b) => spanOf(b) - spanOf(a));
  const [first, last] = [longest?.[0], longest?.at(-1)];
  if (longest === undefined || first === undefined || last === undefined) return undefined;
  return {
    pid: first.pid,
    hub: first.hub,
    minutes: spanOf(longest) / 60_000,
    firstBytes: first.rssBytes,
    lastBytes: last.rssBytes,
    fifths: Array.from({ length: FIFTHS }, (_, fifth) => fifthOf(longest, fifth)),
    bytesPerHour: slopeOf(longest),
    laterBytesPerHour: slopeOf(longest.slice(Math.floor(longest.length * LATER_FROM))),
  };
}

function fifthOf(samples: readonly Sample[], fifth: number): Fifth {
  const [begin, end] = [fifth, fifth + 1].map((n) => Math.floor((samples.length * n) / FIFTHS));
  const some = samples.slice(begin, end);
  const median = (of: (sample: Sample) => number): number => quantile(some.map(of), 0.5);
  return {
    rssBytes: median(({ rssBytes }) => rssBytes),
    heapTotalBytes: median(({ heapTotalBytes }) => heapTotalBytes),
    externalBytes: median(({ externalBytes }) => externalBytes),
    heapBytes: Math.min(...some.map(({ heapBytes }) => heapBytes)),
  };
}

function slopeOf(samples: readonly Sample[]): number {
  return theilSen(thinned(samples).map(({ at, rssBytes }) => [at, rssBytes])) * HOUR_MS;
}

function spanOf(samples: readonly Sample[]): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
}

function thinned(samples: readonly Sample[]): readonly Sample[] {
  const step = Math.ceil(samples.length / SAMPLES_MAX);
  return samples.filter((_, n) => n % step === 0);
}

export function theilSen(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], n) =>
    points.slice(n + 1).flatMap(([x2, y2]) => (x2 === x ? [] : [(y2 - y) / (x2 - x)])),
  );
  return quantile(slopes, 0.5);
}

/** The share of one core that a process used between its first and its last sample. */
export function coreShare(samples: readonly Sample[], hub: number): number {
  let [cpu, wall] = [0, 0];
  const own = samples.filter((sample) => sample.hub === hub);
  own.slice(1).forEach((sample, n) => {
    const last = own[n];
    if (last === undefined || last.pid !== sample.pid) return;
    cpu += sample.cpuSeconds - last.cpuSeconds;
    wall += (sample.at - last.at) / 1000;
  });
  return wall === 0 ? NaN : cpu / wall;
}
