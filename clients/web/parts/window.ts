/** Which pages of a long list are drawn, and how high the spaces are that stand for the others. */
interface Tall {
  /** 0 until it has been drawn. */
  readonly height: number;
}

export interface Range {
  readonly from: number;
  /** The first that is not drawn any more. */
  readonly to: number;
  /** One elsewhere that is drawn all the same. */
  readonly kept: number | undefined;
}

export type Space =
  | { readonly kind: 'drawn'; readonly place: number }
  | { readonly kind: 'away'; readonly place: number; readonly height: number };

/** Of pages that were not drawn yet, the height is that of the others. */
const GUESS_PX = 1_000;

function guessOf(pages: readonly Tall[]): number {
  let sum = 0;
  let known = 0;
  for (const { height } of pages) {
    sum += height;
    if (height > 0) known += 1;
  }
  return known === 0 ? GUESS_PX : sum / known;
}

/** The pages that have a part between two distances from the top of the list; at least one. */
export function rangeAt(
  pages: readonly Tall[],
  top: number,
  bottom: number,
): { readonly from: number; readonly to: number } {
  const guess = guessOf(pages);
  let from = 0;
  let end = 0;
  let to = 0;
  for (const [place, { height }] of pages.entries()) {
    const start = end;
    end += height === 0 ? guess : height;
    if (end <= top) from = place + 1;
    if (start < bottom) to = place + 1;
  }
  from = Math.max(0, Math.min(from, pages.length - 1));
  return { from, to: Math.max(to, from + 1) };
}

export const isDrawn = ({ from, to, kept }: Range, place: number): boolean =>
  (place >= from && place < to) || place === kept;

/** The pages that are drawn and the spaces between them, from top to bottom. */
export function spacesOf(pages: readonly Tall[], range: Range): readonly Space[] {
  const guess = guessOf(pages);
  const spaces: Space[] = [];
  for (const [place, { height }] of pages.entries()) {
    if (isDrawn(range, place)) {
      spaces.push({ kind: 'drawn', place });
      continue;
    }
    const own = height === 0 ? guess : height;
    const last = spaces.at(-1);
    if (last?.kind === 'away') {
      spaces[spaces.length - 1] = { ...last, height: last.height + own };
    } else spaces.push({ kind: 'away', place: spaces.length, height: own });
  }
  return spaces;
}
