/**
 * Merges orders of the same things into one by reciprocal rank (Cormack, Clarke and Buettcher 2009):
 * each order gives 1/(60 + place) to what it has, so no scores of two kinds are compared.
 */
const DAMPING = 60;

export interface Ranked {
  readonly no: number;
  readonly changed: number;
  readonly distance?: number;
}

/** The best first, at most `limit`; of equals the one that changed last. */
export function fuse<T extends Ranked>(orders: readonly (readonly T[])[], limit: number): T[] {
  const merged = new Map<number, { readonly each: T; readonly worth: number }>();
  for (const order of orders) {
    for (const [place, each] of order.entries()) {
      const known = merged.get(each.no);
      const worth = (known?.worth ?? 0) + 1 / (DAMPING + place + 1);
      merged.set(each.no, { each: { ...each, ...known?.each }, worth });
    }
  }
  return [...merged.values()]
    .sort((a, b) => b.worth - a.worth || b.each.changed - a.each.changed || b.each.no - a.each.no)
    .slice(0, limit)
    .map(({ each }) => each);
}
