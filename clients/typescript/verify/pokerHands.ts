/** Ranks seven cards by their best five of 21, without the hub's tables: a second opinion. */
export const RANKS = '23456789TJQKA';
export const SUITS = 'cdhs';

/** Larger is better; equal is a tie. */
export function bestOf(cards: readonly string[]): number {
  let best = 0;
  for (let a = 0; a < cards.length; a += 1) {
    for (let b = a + 1; b < cards.length; b += 1) {
      const five = cards.filter((_, nth) => nth !== a && nth !== b);
      best = Math.max(best, worthOf(five));
    }
  }
  return best;
}

function worthOf(five: readonly string[]): number {
  const ranks = five.map((card) => RANKS.indexOf(card.charAt(0)));
  const counts = new Map<number, number>();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  const groups = [...counts].sort(([a, m], [b, n]) => (m === n ? b - a : n - m));
  const order = groups.map(([rank]) => rank);
  const sizes = groups.map(([, count]) => count).join('');
  const flush = new Set(five.map((card) => card.charAt(1))).size === 1;
  const high = straightTo([...counts.keys()].sort((a, b) => b - a));
  if (flush && high > 0) return packed(8, [high]);
  if (sizes === '41') return packed(7, order);
  if (sizes === '32') return packed(6, order);
  if (flush) return packed(5, order);
  if (high > 0) return packed(4, [high]);
  if (sizes === '311') return packed(3, order);
  if (sizes === '221') return packed(2, order);
  return packed(sizes === '2111' ? 1 : 0, order);
}

/** The rank that a straight of five different ranks ends on; 0 when they are none. */
function straightTo(ranks: readonly number[]): number {
  const [top = 0, second = 0] = ranks;
  if (ranks.length !== 5) return 0;
  if (top - (ranks[4] ?? 0) === 4) return top;
  return top === 12 && second === 3 ? 3 : 0;
}

function packed(category: number, ranks: readonly number[]): number {
  let value = category;
  for (let nth = 0; nth < 5; nth += 1) value = value * 13 + (ranks[nth] ?? 0);
  return value;
}
