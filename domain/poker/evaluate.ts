import type { Card } from './cards.ts';

/**
 * Scores five to seven cards by a number that orders hands: the category from bit 20, then up to
 * five ranks of four bits, the highest first. A suit is a mask of 13 bits; tables give its value.
 */
export const CATEGORIES = [
  'high-card',
  'pair',
  'two-pair',
  'three-of-a-kind',
  'straight',
  'flush',
  'full-house',
  'four-of-a-kind',
  'straight-flush',
] as const;
export type Category = (typeof CATEGORIES)[number];

const MASKS = 1 << 13;
const CATEGORY_BITS = 20;

/** Ranks in a mask. */
const COUNT = new Uint8Array(MASKS);
/** The rank that the best straight of a mask ends on, plus one; 0 without a straight. */
const STRAIGHT = new Uint8Array(MASKS);
/** The five highest ranks of a mask, four bits each, the highest in the bits from 16. */
const TOP_FIVE = new Uint32Array(MASKS);
/** The wheel counts its ace as the lowest card. */
const WHEEL = 0b1_0000_0000_1111;

for (let mask = 0; mask < MASKS; mask += 1) {
  COUNT[mask] = (COUNT[mask >> 1] ?? 0) + (mask & 1);
  STRAIGHT[mask] = straightOf(mask);
  TOP_FIVE[mask] = topFive(mask);
}

function straightOf(mask: number): number {
  for (let high = 12; high >= 4; high -= 1) {
    const five = 0b11111 << (high - 4);
    if ((mask & five) === five) return high + 1;
  }
  return (mask & WHEEL) === WHEEL ? 4 : 0;
}

function topFive(mask: number): number {
  let packed = 0;
  let shift = 16;
  for (let rank = 12; rank >= 0 && shift >= 0; rank -= 1) {
    if ((mask & (1 << rank)) === 0) continue;
    packed |= rank << shift;
    shift -= 4;
  }
  return packed;
}

export function score(cards: readonly Card[]): number {
  const suits: [number, number, number, number] = [0, 0, 0, 0];
  for (const card of cards)
    suits[(card / 13) | 0] = (suits[(card / 13) | 0] ?? 0) | (1 << (card % 13));
  return scoreOfSuits(suits[0], suits[1], suits[2], suits[3]);
}

/** The score of seven cards, one by one: what a loop over many hands calls. */
export function scoreSeven(a: Card, b: Card, c: Card, d: Card, e: Card, f: Card, g: Card): number {
  const high = HIGH_HALF;
  const low = LOW_HALF;
  const lows = low[a]! | low[b]! | low[c]! | low[d]! | low[e]! | low[f]! | low[g]!;
  const highs = high[a]! | high[b]! | high[c]! | high[d]! | high[e]! | high[f]! | high[g]!;
  return scoreOfSuits(lows & 0x1fff, lows >> 13, highs & 0x1fff, highs >> 13);
}

/** Masks of the clubs and diamonds, and of the hearts and spades, of each card. */
const LOW_HALF = new Int32Array(52).map((_, card) => (card < 26 ? 1 << card : 0));
const HIGH_HALF = new Int32Array(52).map((_, card) => (card < 26 ? 0 : 1 << (card - 26)));

/** The score of the cards whose ranks the four masks hold, one mask for each suit. */
export function scoreOfSuits(c: number, d: number, h: number, s: number): number {
  const any = c | d | h | s;
  const flush = flushOf(c, d, h, s);
  if (flush !== 0) {
    const straight = STRAIGHT[flush]!;
    // Five of a suit leave two cards, too few for four of a kind or a full house beside them.
    return straight === 0 ? (5 << CATEGORY_BITS) | TOP_FIVE[flush]! : ranked(8, straight - 1);
  }
  const pairs = (c & d) | (h & s) | ((c | d) & (h | s));
  const straight = STRAIGHT[any]!;
  if (pairs === 0) return straight === 0 ? TOP_FIVE[any]! : ranked(4, straight - 1);
  const fours = c & d & h & s;
  if (fours !== 0) {
    const four = top(fours);
    return ranked(7, four) | (top(any ^ (1 << four)) << 12);
  }
  const threes = (c & d & (h | s)) | (h & s & (c | d));
  if (threes !== 0) return withThree(any, pairs, threes, straight);
  if (straight !== 0) return ranked(4, straight - 1);
  const first = top(pairs);
  const others = pairs ^ (1 << first);
  if (others === 0) {
    return ranked(1, first) | ((TOP_FIVE[any ^ pairs]! >> 8) << 4);
  }
  const second = top(others);
  const kicker = top(any ^ (1 << first) ^ (1 << second));
  return ranked(2, first) | (second << 12) | (kicker << 8);
}

function flushOf(c: number, d: number, h: number, s: number): number {
  if (COUNT[c]! >= 5) return c;
  if (COUNT[d]! >= 5) return d;
  if (COUNT[h]! >= 5) return h;
  return COUNT[s]! >= 5 ? s : 0;
}

function withThree(any: number, pairs: number, threes: number, straight: number): number {
  const three = top(threes);
  const full = pairs ^ (1 << three);
  if (full !== 0) return ranked(6, three) | (top(full) << 12);
  if (straight !== 0) return ranked(4, straight - 1);
  return ranked(3, three) | ((TOP_FIVE[any ^ (1 << three)]! >> 12) << 8);
}

function ranked(category: number, rank: number): number {
  return (category << CATEGORY_BITS) | (rank << 16);
}

function top(mask: number): number {
  return 31 - Math.clz32(mask);
}

export function categoryOf(scored: number): Category {
  const category = CATEGORIES[scored >> CATEGORY_BITS];
  if (category === undefined) throw new RangeError(`not a score: ${scored}`);
  return category;
}

/** The five of the cards that make the score, in the order in which the cards came. */
export function bestFive(cards: readonly Card[]): readonly Card[] {
  const best = score(cards);
  let kept = cards;
  // A card that can go without changing the score is not one of the five.
  for (let nth = cards.length - 1; nth >= 0 && kept.length > 5; nth -= 1) {
    const without = kept.filter((card) => card !== cards[nth]);
    if (score(without) === best) kept = without;
  }
  return kept;
}
