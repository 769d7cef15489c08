import { foldPage, type Foldable, type Folded, type FoldedPage } from '../domain/registry/fold.ts';
import type { Schemas } from '../workflows/kernel/answered.ts';

type FoldedListings = Schemas['FoldedListings'];

/** The page of a ranked list; with `fold` false it is its first. */
export function foldedPage<T extends Foldable>(
  found: readonly T[],
  limit: number,
  fold: boolean,
): FoldedPage<T> {
  if (fold) return foldPage(found, limit);
  const shown = found.slice(0, limit);
  return { shown, folded: [], used: shown.length };
}

/** Listings that the page leaves out, and the call that shows them; nothing when it shows all. */
export function foldedOf(
  folded: readonly Folded[],
  path: string,
  query: Readonly<Record<string, unknown>>,
): { folded?: FoldedListings[] } {
  if (folded.length === 0) return {};
  const given = Object.entries({ ...query, fold: false, cursor: undefined, offset: undefined });
  const words = given.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const call = { method: 'GET', path: `${path}?${new URLSearchParams(words).toString()}` } as const;
  return { folded: folded.slice(0, 100).map((each) => ({ ...each, call })) };
}
