import type { Sample } from './parts/plotScale.ts';

/** The sums by month, one sample for each month from the first to the last. */
export function monthly(
  values: readonly { readonly month: string; readonly value: number }[],
): readonly Sample[] {
  const sums = new Map<number, number>();
  for (const { month, value } of values) {
    const at = Date.parse(`${month}-01`);
    sums.set(at, (sums.get(at) ?? 0) + value);
  }
  const samples: Sample[] = [];
  const last = Math.max(...sums.keys());
  for (let at = Math.min(...sums.keys()); at <= last; at = nextMonth(at)) {
    samples.push({ at, values: [sums.get(at) ?? 0] });
  }
  return samples;
}

function nextMonth(at: number): number {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1);
}
