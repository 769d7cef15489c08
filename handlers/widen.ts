/** How much more is looked at while a page is not full. */
const MORE = 8;

export interface Looked<T> {
  readonly page: readonly T[];
  /** How much was found before the rest was left out. */
  readonly found: number;
  /** The length of the page, when what it shows is not all that it holds. */
  readonly length?: number;
}

/** Fills a page from a filtered search: looks at `first`, then ever more finds, up to `most`. */
export async function widen<T>(
  { first, most, limit }: { readonly first: number; readonly most: number; readonly limit: number },
  look: (count: number) => Promise<Looked<T>>,
): Promise<readonly T[]> {
  for (let count = first; ; count *= MORE) {
    const { page, found, length = page.length } = await look(count);
    if (length === limit || found < count || count >= most) return page;
  }
}
