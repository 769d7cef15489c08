/** Sets of code points as sorted ranges that do not touch, and the sets that ECMA-262 names. */
type Range = readonly [first: number, last: number];
export type Ranges = readonly Range[];

const LAST = 0x10ffff;
const single = (...points: readonly number[]): Ranges => points.map((point) => [point, point]);

export const ALL: Ranges = [[0, LAST]];
export const DIGITS: Ranges = [[0x30, 0x39]];
export const WORD_CHARACTERS: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
export const LINE_ENDS: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
/** WhiteSpace and LineTerminator of ECMA-262. */
export const SPACES: Ranges = [
  [0x09, 0x0d],
  ...single(0x20, 0xa0, 0x1680),
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  ...single(0x202f, 0x205f, 0x3000, 0xfeff),
];

export function union(sets: readonly Ranges[]): Ranges {
  const sorted = sets.flat().sort(([a], [b]) => a - b);
  const merged: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function complement(ranges: Ranges): Ranges {
  const outside: Range[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) outside.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST) outside.push([next, LAST]);
  return outside;
}

/** Ranges of each property that was asked for; there are only some hundreds of them. */
const known = new Map<string, Ranges>();

/** The code points that have a property such as `Letter` or `Script=Greek`, as the engine has them. */
export function withProperty(name: string): Ranges {
  const kept = known.get(name);
  if (kept !== undefined) return kept;
  const property = new RegExp(`^\\p{${name}}$`, 'u');
  const ranges: [number, number][] = [];
  for (let point = 0; point <= LAST; point += 1) {
    if (!property.test(String.fromCodePoint(point))) continue;
    const before = ranges.at(-1);
    if (before?.[1] === point - 1) before[1] = point;
    else ranges.push([point, point]);
  }
  known.set(name, ranges);
  return ranges;
}
