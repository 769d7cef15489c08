/** A stream of chance that a seed fixes (splitmix32). */
export interface Random {
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  /** True in `percent` of cases. */
  chance(percent: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (limit: number): number => next() % limit;
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick(from) {
      const at = below(from.length);
      for (const item of from.slice(at, at + 1)) return item;
      throw new RangeError('nothing to pick from');
    },
  };
}
