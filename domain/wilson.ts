/** A count of how many, with the 95% interval of the share that it estimates. */
export interface Rate {
  readonly count: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

const Z = 1.959964;

/** Returns the score interval of Wilson; of nothing every share is possible. */
export function rateOf(count: number, of: number): Rate {
  if (of === 0) return { count, of, low: 0, high: 1 };
  const share = count / of;
  const z2 = (Z * Z) / of;
  const middle = share + z2 / 2;
  const spread = Z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of));
  const bound = (end: number): number => Math.min(1, Math.max(0, end / (1 + z2)));
  return { count, of, low: bound(middle - spread), high: bound(middle + spread) };
}
