import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isReturning } from './navigation.ts';

/** Some rows of a list, as many as are drawn at once, with the height that they had on the screen. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Where the hub goes on; of the last rows that it answered alone. */
  readonly next: string | undefined;
  height: number;
}

/** Few at first, which come soon; then more at once, since who scrolls goes on scrolling. */
const LIMIT_FIRST = 25;
const LIMIT_MORE = 100;
const ROWS_AT_ONCE = 25;

export interface Pages<T> {
  /** Undefined until the first one is there. */
  readonly value: readonly Page<T>[] | undefined;
  /** Why there is nothing at all. */
  readonly error: unknown;
  /** Why the next page is not there. */
  readonly moreError: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Asks for the next page; nothing happens when there is none, or one is on its way. */
  readonly more: () => void;
}
interface Answered<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}
type Ask<T> = (
  query: { readonly limit: number; readonly cursor?: string },
  signal: AbortSignal,
) => Promise<Answered<T>>;

interface Kept {
  readonly pages: readonly Page<unknown>[];
  scrolled: number;
}

/** The last lists that were left, so that who comes back finds the row and not the first page. */
const kept = new Map<string, Kept>();
const KEPT_MAX = 4;

/** A list that grows page by page. Another key begins another list; a late answer is dropped. */
export function usePages<T>(key: string, ask: Ask<T>): Pages<T> {
  const [held, setHeld] = useState(() => ({ key, pages: keptPages<T>(key) }));
  const [error, setError] = useState<unknown>();
  const [isLoading, setLoading] = useState(false);
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  const pages = held.key === key ? held.pages : undefined;
  const now = useRef({ pages, isLoading, asking: new AbortController() });
  now.current.pages = pages;

  const load = useCallback(
    (before: readonly Page<T>[]) => {
      const { asking } = now.current;
      now.current.isLoading = true;
      setLoading(true);
      const cursor = before.at(-1)?.next;
      const query = cursor === undefined ? { limit: LIMIT_FIRST } : { limit: LIMIT_MORE, cursor };
      latest
        .current(query, asking.signal)
        .then((answer) => {
          if (asking.signal.aborted) return;
          setHeld({ key, pages: [...before, ...drawnAtOnce(answer)] });
          setError(undefined);
        })
        .catch((thrown: unknown) => {
          if (!asking.signal.aborted) setError(thrown ?? new Error('unknown'));
        })
        .finally(() => {
          if (asking.signal.aborted) return;
          now.current.isLoading = false;
          setLoading(false);
        });
    },
    [key],
  );
  useEffect(() => {
    const asking = new AbortController();
    now.current.asking = asking;
    now.current.isLoading = false;
    setError(undefined);
    if (now.current.pages === undefined) load([]);
    return () => asking.abort();
  }, [key, turn]);
  useEffect(() => rememberScroll(key, () => now.current.pages), [key]);
  const more = useCallback(() => {
    const { pages: before, isLoading: isBusy } = now.current;
    if (before !== undefined && !isBusy && before.at(-1)?.next !== undefined) load(before);
  }, [load]);
  const reload = useCallback(() => {
    if (now.current.pages === undefined) setTurn((last) => last + 1);
    else more();
  }, [more]);
  const errors =
    pages === undefined ? { error, moreError: undefined } : { error: undefined, moreError: error };
  return { value: pages, ...errors, isLoading, reload, more };
}

function drawnAtOnce<T>({ items, next }: Answered<T>): readonly Page<T>[] {
  const count = Math.max(1, Math.ceil(items.length / ROWS_AT_ONCE));
  return Array.from({ length: count }, (_, place) => ({
    items: items.slice(place * ROWS_AT_ONCE, (place + 1) * ROWS_AT_ONCE),
    next: place === count - 1 ? next : undefined,
    height: 0,
  }));
}

function keptPages<T>(key: string): readonly Page<T>[] | undefined {
  // An answer that is kept under a key was asked under it, so its items are of this kind.
  return isReturning() ? (kept.get(key)?.pages as readonly Page<T>[] | undefined) : undefined;
}

/** Goes to where the list was left, and notes where it is left again. */
function rememberScroll(
  key: string,
  pages: () => readonly Page<unknown>[] | undefined,
): () => void {
  const place = isReturning() ? kept.get(key)?.scrolled : undefined;
  if (place !== undefined) requestAnimationFrame(() => scrollTo(0, place));
  let scrolled = place ?? scrollY;
  const { href } = location;
  // Who leaves is at the top of the next page before this list is taken away.
  const note = (): void => void (location.href === href && (scrolled = scrollY));
  addEventListener('scroll', note, { passive: true });
  return () => {
    removeEventListener('scroll', note);
    const left = pages();
    if (left === undefined) return;
    kept.delete(key);
    kept.set(key, { pages: left, scrolled });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  };
}
