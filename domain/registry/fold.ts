/**
 * No operator fills a page (choices registry.folding): of one operator, one holder and one group of
 * copies a few are shown, and the rest is counted under the first of them.
 */
export interface Foldable {
  readonly id: string;
  readonly operatorId: string;
  /** The passport that holds it. */
  readonly holder?: string;
  /** The listing that it copies or whose name it imitates; absent for an original. */
  readonly standsUnder?: string;
}

type FoldedBy = 'operator' | 'holder' | 'copies';

export interface Folded {
  /** Listing on the page under which the others are folded. */
  readonly under: string;
  readonly by: FoldedBy;
  readonly count: number;
}

export interface FoldedPage<T> {
  readonly shown: readonly T[];
  readonly folded: readonly Folded[];
  /** How many of the given ones the page took, those that are folded included. */
  readonly used: number;
}

const OF_ONE_MAX = 3;

/** The first of a ranked list, at most `limit`. */
export function foldPage<T extends Foldable>(found: readonly T[], limit: number): FoldedPage<T> {
  const groups = new Map<string, { readonly under: string; count: number }>();
  const folded = new Map<string, { under: string; by: FoldedBy; count: number }>();
  const shown: T[] = [];
  let used = 0;
  for (const each of found) {
    const keys = keysOf(each);
    const full = keys.find(([, key]) => (groups.get(key)?.count ?? 0) >= OF_ONE_MAX);
    if (full === undefined && shown.length === limit) break;
    used += 1;
    if (full !== undefined) {
      const [by, key] = full;
      const { under } = groups.get(key) ?? { under: each.id };
      const line = folded.get(key) ?? { under, by, count: 0 };
      line.count += 1;
      folded.set(key, line);
      continue;
    }
    shown.push(each);
    for (const [, key] of keys) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { under: each.id, count: 1 });
      else group.count += 1;
    }
  }
  return { shown, folded: [...folded.values()], used };
}

function keysOf(each: Foldable): readonly (readonly [FoldedBy, string])[] {
  const { id, operatorId, holder, standsUnder = id } = each;
  return [
    ['copies', `copies ${standsUnder}`],
    ['operator', `operator ${operatorId}`],
    ...(holder === undefined ? [] : [['holder', `holder ${holder}`] as const]),
  ];
}

/** A copy that ranks above its original changes places with it. */
export function originalsFirst<T extends Foldable>(found: readonly T[]): readonly T[] {
  // Keeps the first of several hits of one listing.
  const places = new Map(found.map(({ id }, place) => [id, place] as const).reverse());
  const moved = [...found];
  const isMoved = new Set<string>();
  for (const [place, { standsUnder }] of found.entries()) {
    if (standsUnder === undefined || isMoved.has(standsUnder)) continue;
    isMoved.add(standsUnder);
    const own = places.get(standsUnder);
    const original = own === undefined ? undefined : found[own];
    const copy = moved[place];
    if (own === undefined || original === undefined || copy === undefined || own < place) continue;
    moved[place] = original;
    moved[own] = copy;
  }
  return moved;
}
