import type { Category } from '../../../domain/poker/evaluate.ts';

/** Hands of seven cards by category, known from mathematics (choices poker.references). */
export const OF_SEVEN: Readonly<Record<Category, number>> = {
  'straight-flush': 41_584,
  'four-of-a-kind': 224_848,
  'full-house': 3_473_184,
  flush: 4_047_644,
  straight: 6_180_020,
  'three-of-a-kind': 6_461_620,
  'two-pair': 31_433_400,
  pair: 58_627_800,
  'high-card': 23_294_460,
};
export const OF_SEVEN_ALL = 133_784_560;
/** Hands of seven that differ in worth. */
export const RANKS_OF_SEVEN = 4_824;
/** The digest of all ranks in the order of `npm run poker:walk`, as poker-evaluator has them. */
export const RANKS_SHA256 = 'a0313b9f244fedf22a4a92ffab578ee6a2048f036cb71f0a3fe17b7f12516b7c';

/** Numbers below a bound, the same for the same seed. */
export function randomSource(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
