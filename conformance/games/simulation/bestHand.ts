/** Rates seven cards (`Td`) the long way, by all fives of them; a greater list is a better hand. */
const RANKS = '23456789TJQKA';

export function worth(cards: readonly string[]): readonly number[] {
  let best: readonly number[] = [];
  for (const five of fives(cards)) {
    const value = worthOfFive(five);
    if (compare(value, best) > 0) best = value;
  }
  return best;
}

export function compare(a: readonly number[], b: readonly number[]): number {
  for (let nth = 0; nth < Math.max(a.length, b.length); nth += 1) {
    const apart = (a[nth] ?? -1) - (b[nth] ?? -1);
    if (apart !== 0) return apart;
  }
  return 0;
}

function* fives(
  cards: readonly string[],
  from = 0,
  chosen: readonly string[] = [],
): Generator<readonly string[]> {
  if (chosen.length === 5) {
    yield chosen;
    return;
  }
  for (let nth = from; nth < cards.length; nth += 1) {
    yield* fives(cards, nth + 1, [...chosen, cards[nth] ?? '']);
  }
}

function worthOfFive(cards: readonly string[]): readonly number[] {
  const ranks = cards.map((card) => RANKS.indexOf(card.charAt(0))).sort((a, b) => b - a);
  const groups = [...new Set(ranks)]
    .map((rank) => ({ rank, count: ranks.filter((each) => each === rank).length }))
    .sort((a, b) => b.count - a.count || b.rank - a.rank);
  const order = groups.map(({ rank }) => rank);
  const shape = groups.map(({ count }) => count).join('');
  const isFlush = new Set(cards.map((card) => card.charAt(1))).size === 1;
  const isWheel = order.join() === '12,3,2,1,0';
  const isStraight = shape === '11111' && (isWheel || (order[0] ?? 0) - (order[4] ?? 0) === 4);
  const high = isWheel ? [3] : [order[0] ?? 0];
  if (isStraight) return [isFlush ? 8 : 4, ...high];
  if (isFlush) return [5, ...order];
  const kind = { '41': 7, '32': 6, '311': 3, '221': 2, '2111': 1, '11111': 0 }[shape];
  return [kind ?? 0, ...order];
}
