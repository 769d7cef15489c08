/** A page of a list ends early once what is on it weighs this much (choices pipeline.paging). */
const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/** Rows are read a few at a time, so that a page is never much over its weight in memory. */
const STEP = 20;

export interface Page<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
}

export interface PageParts<T> {
  readonly limit: number;
  readonly read: (last: T | undefined, count: number) => Promise<readonly T[]>;
  /** Bytes that a row weighs in the answer. */
  readonly weigh: (row: T) => number;
}

/** Whether `readPage` reads a page of this many rows at once, so that it needs no snapshot. */
export function isReadAtOnce(limit: number): boolean {
  return limit < STEP;
}

/** Reads at most `limit` rows, and fewer when they weigh too much; the first is always there. */
export async function readPage<T>({ limit, read, weigh }: PageParts<T>): Promise<Page<T>> {
  const page: T[] = [];
  let weight = 0;
  for (;;) {
    const wanted = Math.min(STEP, limit + 1 - page.length);
    const step = await read(page.at(-1), wanted);
    for (const row of step) {
      weight += weigh(row);
      if (page.length === limit || (page.length > 0 && weight > PAGE_BYTES_MAX)) {
        return { rows: page, more: true };
      }
      page.push(row);
    }
    if (step.length < wanted) return { rows: page, more: false };
  }
}

export interface ShownPage<Row, Shown> {
  /** The rows that are on the page; the last one is where the next page begins. */
  readonly rows: readonly Row[];
  readonly shown: Shown[];
  readonly more: boolean;
}

/**
 * The page of rows that were read already, one more than `limit` where the list goes on: as many as
 * `limit`, and fewer when what is shown of them weighs too much; the first is always there.
 */
export function cutPage<Row, Shown>(
  found: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
  weigh: (shown: Shown) => number = jsonBytes,
): ShownPage<Row, Shown> {
  const shown: Shown[] = [];
  let weight = 0;
  for (const row of found.slice(0, limit)) {
    const one = show(row);
    weight += weigh(one);
    if (shown.length > 0 && weight > PAGE_BYTES_MAX) break;
    shown.push(one);
  }
  const { length } = shown;
  return { rows: found.slice(0, length), shown, more: found.length > length };
}

export interface PageEnvelope {
  readonly count: number;
  readonly limit: number;
  readonly hasMore: boolean;
  /** The `cursor` of the next page; absent on the last. */
  readonly nextCursor?: string;
  readonly next?: string;
}

/** The envelope of a page; `placeOf` says where its last row is, behind which the next begins. */
export function envelopeOf<Row>(
  { rows, more }: { readonly rows: readonly Row[]; readonly more: boolean },
  limit: number,
  placeOf: (row: Row) => string,
): PageEnvelope {
  const last = rows.at(-1);
  if (!more || last === undefined) return { count: rows.length, limit, hasMore: false };
  return { count: rows.length, limit, hasMore: true, ...cursorNamed(placeOf(last)) };
}

/** A cursor under its name and, for one version, under its old one (choices pipeline.paging). */
export function cursorNamed(cursor: string): Required<Pick<PageEnvelope, 'nextCursor' | 'next'>> {
  return { nextCursor: cursor, next: cursor };
}

export function placeAt(after: string): number {
  return Number(after);
}

/** Longer texts are weighed as they are written, with what is escaped in them. */
const SHORT_TEXT = 64;
/** A moment, which is written as text, has the most letters of all numbers. */
const NUMBER_BYTES = 26;

/** About how long a value is as JSON; amounts and moments may be in it. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') {
    return (
      2 + (value.length > SHORT_TEXT ? Buffer.byteLength(JSON.stringify(value)) : value.length)
    );
  }
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES;
  let bytes = 2;
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) bytes += name.length + 4 + jsonBytes(member);
  }
  return bytes;
}
