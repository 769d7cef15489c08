import { coreShare, memorySlope, type Fifth } from './figures.ts';
import type { Options } from './options.ts';
import { quantile } from './quantile.ts';
import type { Sample } from './samples.ts';
import type { Verified } from './verify.ts';
import type { Watch } from './watch.ts';

/** All figures of a run; `isGood` is what its exit code says. */
export interface Report {
  readonly isGood: boolean;
  readonly rows: readonly Row[];
}

interface Row {
  readonly figure: string;
  readonly seen: string | number;
  readonly limit?: string;
  readonly isGood?: boolean;
}

export interface Ended {
  readonly options: Options;
  readonly watch: Watch;
  readonly samples: readonly Sample[];
  readonly warmUntil: number;
  readonly seconds: number;
  readonly activities: ReadonlyMap<string, number>;
  readonly visits: ReadonlyMap<string, number>;
  readonly failures: readonly string[];
  readonly verified: Verified;
  readonly audit: { readonly isBalanced: boolean; readonly says: string };
}

const LOOP_MS_MAX = 50;
const SLOPE_MB_MAX = 24;
/** Below this a slope is chance: collections of garbage come and go. */
const SLOPE_MINUTES_MIN = 20;
const MB = 1_048_576;
const MS_SHOWN = (ms: number): string => `${ms.toFixed(1)} ms`;
const MB_SHOWN = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;

export function reportOf(ended: Ended): Report {
  const { watch, samples, failures, verified, audit } = ended;
  const rows: readonly Row[] = [
    ...loadRows(ended),
    ...faultRows(watch),
    ...loopRows(samples.filter(({ at, inFault }) => at >= ended.warmUntil && !inFault)),
    ...memoryRows(samples, ended.warmUntil),
    row('answers above 499, or lost, that no fault explains', watch.unexplained.length, 0),
    row('activities that failed', failures.length, 0),
    { figure: 'movements asked for again', seen: verified.movements },
    { figure: 'tasks, receipts, notes, proofs asked for again', seen: againOf(verified) },
    row('lost, or never answered', verified.faults.length, 0),
    { figure: 'hubctl audit', seen: audit.says, limit: 'balanced', isGood: audit.isBalanced },
  ];
  return { rows, isGood: rows.every(({ isGood }) => isGood !== false) };
}

function row(figure: string, seen: number, limit: number): Row {
  return { figure, seen, limit: `${limit}`, isGood: seen <= limit };
}

const againOf = ({ tasks, receipts, notes, proofs }: Verified): string =>
  [tasks, receipts, notes, proofs].join(', ');

function loadRows({ options, watch, seconds, activities, visits, samples }: Ended): readonly Row[] {
  const answers = [...watch.statuses.values()].reduce((sum, count) => sum + count, 0);
  const numbers = [...new Set(samples.map(({ hub }) => hub))].sort((a, b) => a - b);
  return [
    {
      figure: 'database, agents, minutes',
      seen: `${options.database}, ${options.agents}, ${(seconds / 60).toFixed(1)}`,
    },
    { figure: 'answers', seen: `${answers}, ${(answers / seconds).toFixed(0)}/s` },
    { figure: 'by status', seen: listOf(watch.statuses) },
    { figure: 'activities', seen: listOf(activities) },
    { figure: 'hostile visits', seen: listOf(visits) },
    ...numbers.map((hub) => ({
      figure: `processor of hub ${hub}, share of one core`,
      seen: `${(coreShare(samples, hub) * 100).toFixed(0)} %`,
    })),
    {
      figure: 'answer to an agent outside of faults, p50 and p99',
      seen: [0.5, 0.99].map((share) => `${quantile(watch.tookMs, share).toFixed(1)} ms`).join(', '),
    },
  ];
}

function faultRows({ faults }: Watch): readonly Row[] {
  const counts = new Map<string, number>();
  for (const { kind } of faults) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [{ figure: 'faults', seen: listOf(counts) }];
}

/** Holds each window against the limit. Time that the machine took is reported, not counted. */
function loopRows(samples: readonly Sample[]): readonly Row[] {
  const own = samples.map(({ ownP99Ms }) => ownP99Ms);
  const all = samples.map(({ loopP99Ms }) => loopP99Ms);
  const waits = samples.map(({ waitedShare }) => waitedShare * 100);
  return [
    {
      figure: 'time that a hub was ready and had no processor, median and worst window',
      seen: `${quantile(waits, 0.5).toFixed(1)} %, ${worstOf(waits).toFixed(1)} %`,
    },
    {
      figure: `p99 of the loop's delay, ${all.length} windows outside of faults: median, worst`,
      seen: `${MS_SHOWN(quantile(all, 0.5))}, ${MS_SHOWN(worstOf(all))}`,
    },
    {
      figure: 'the same without its waiting for a processor',
      seen: `${MS_SHOWN(quantile(own, 0.5))}, ${MS_SHOWN(worstOf(own))}`,
      limit: `${LOOP_MS_MAX} ms`,
      isGood: worstOf(own) < LOOP_MS_MAX,
    },
    {
      figure: 'the longest delay of all, with and without that waiting',
      seen: [samples.map(({ loopMaxMs }) => loopMaxMs), samples.map(({ ownMaxMs }) => ownMaxMs)]
        .map((delays) => MS_SHOWN(worstOf(delays)))
        .join(', '),
    },
  ];
}

const worstOf = (values: readonly number[]): number => quantile(values, 1);

function memoryRows(samples: readonly Sample[], warmUntil: number): readonly Row[] {
  const slope = memorySlope(samples, warmUntil);
  if (slope === undefined) return [];
  const { minutes, firstBytes, lastBytes, fifths, bytesPerHour, laterBytesPerHour } = slope;
  const inFifths = (of: (fifth: Fifth) => number): string =>
    fifths.map(of).map(MB_SHOWN).join(', ');
  const isNotified = minutes >= SLOPE_MINUTES_MIN;
  return [
    {
      figure: `memory of hub ${slope.hub}, over ${minutes.toFixed(1)} minutes of one process`,
      seen: `${MB_SHOWN(firstBytes)} to ${MB_SHOWN(lastBytes)}`,
    },
    { figure: 'the same by fifths of that time', seen: inFifths(({ rssBytes }) => rssBytes) },
    {
      figure: 'what its heap held at least in each',
      seen: inFifths(({ heapBytes }) => heapBytes),
    },
    {
      figure: 'what its heap had of the machine',
      seen: inFifths(({ heapTotalBytes }) => heapTotalBytes),
    },
    { figure: 'its buffers', seen: inFifths(({ externalBytes }) => externalBytes) },
    { figure: 'its slope in an hour', seen: MB_SHOWN(bytesPerHour) },
    {
      figure: 'its slope in an hour in the last three fifths, all that is bounded being full',
      seen: MB_SHOWN(laterBytesPerHour),
      ...(isNotified && {
        limit: `${SLOPE_MB_MAX} MB`,
        isGood: laterBytesPerHour / MB < SLOPE_MB_MAX,
      }),
    },
  ];
}

function listOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

export function tableOf({ rows, isGood }: Report): string {
  const lines = rows.map(({ figure, seen, limit, isGood: good }) => {
    const verdict =
      good === undefined ? '' : good ? `  (limit ${limit}) good` : `  (limit ${limit}) BAD`;
    return `  ${figure}: ${seen}${verdict}`;
  });
  return [...lines, isGood ? 'The run is good.' : 'The run is BAD.', ''].join('\n');
}
