import { unwrap } from '../../typescript/refusal.ts';
import { useLoad, type Loaded } from '../load.ts';
import { reader } from '../session.ts';
import type { Got } from '../types.ts';
import type { Range } from './ranges.tsx';

export type Series = NonNullable<Got<'/api/v1/stats'>['series']>;
export type SeriesPart = Series['parts'][number];
const EVERY_MS = 60_000;

/** The figures of the exchange over a range, loaded again every minute. */
export function useSeries(range: Range): Loaded<Series> {
  return useLoad(
    `series ${range}`,
    async (signal) => {
      const params = { query: { range } };
      const { series } = unwrap(await reader.GET('/api/v1/stats', { params, signal }));
      if (series === undefined) throw new Error('a range that was asked for is answered');
      return series;
    },
    EVERY_MS,
  );
}

export function plotted(
  { parts, partSeconds }: Series,
  valuesOf: (part: SeriesPart) => readonly number[],
) {
  const bucketMs = partSeconds * 1_000;
  const samples = parts.map((part) => ({ at: Date.parse(part.from), values: valuesOf(part) }));
  const from = samples[0]?.at ?? 0;
  return { samples, bucketMs, from, until: from + parts.length * bucketMs };
}
