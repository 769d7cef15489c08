import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Page, Pages } from '../pages.ts';
import { T } from '../texts.ts';
import { Failure, Loading } from './states.tsx';
import { rangeAt, spacesOf, type Range } from './window.ts';

/** Rows are there this far above and below the window, and pages are asked for this far ahead. */
const AHEAD_PX = 1_500;

interface LongListProps<T> {
  readonly of: Pages<T>;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T) => ComponentChildren;
}

/**
 * A list of any length: the next page is asked for before its end is seen, and of all pages only
 * those near the window are drawn; one space stands for all above them and one for all below, since
 * a browser that watches a place for each page computes for each of them at every frame.
 */
export function LongList<T>({
  of: { value = [], moreError, isLoading, more, reload },
  keyOf,
  row,
}: LongListProps<T>) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useDrawn(place, value);
  const isWhole = value.at(-1)?.next === undefined;
  const total = value.reduce((sum, { items }) => sum + items.length, 0);
  const size = isWhole ? total : -1;
  let first = 0;
  const firsts = value.map(({ items }) => (first += items.length) - items.length);
  return (
    <>
      {total > 0 && (
        <div role="list" class="pages" ref={place}>
          {spacesOf(value, drawn).map((space) => {
            if (space.kind === 'away') {
              const style = { height: `${space.height}px` };
              return <div key={`away ${space.place}`} role="presentation" style={style} />;
            }
            const page = value[space.place];
            const before = firsts[space.place];
            if (page === undefined || before === undefined) return null;
            const shared = { page, first: before, size, keyOf, row };
            return <Chunk key={space.place} place={space.place} {...shared} />;
          })}
        </div>
      )}
      {!isWhole && <End more={more} isLoading={isLoading} hasFailed={moreError !== undefined} />}
      {moreError !== undefined && !isLoading && <Failure error={moreError} retry={reload} />}
    </>
  );
}

/** Which pages are near the window; who is in one with the keyboard keeps it, who prints has all. */
function useDrawn<T>(
  place: { readonly current: HTMLDivElement | null },
  pages: readonly Page<T>[],
): Range {
  const [range, setRange] = useState<Range>({ from: 0, to: 1, kept: undefined });
  const latest = useRef({ pages, range });
  latest.current = { pages, range };
  const look = useCallback(() => {
    const list = place.current;
    const { pages: all, range: before } = latest.current;
    if (list === null) return;
    const top = -list.getBoundingClientRect().top;
    const near = rangeAt(all, top - AHEAD_PX, top + innerHeight + AHEAD_PX);
    const kept = keptPlace(list, before);
    const isSame = near.from === before.from && near.to === before.to && kept === before.kept;
    if (!isSame) setRange({ ...near, kept });
  }, []);
  useLayoutEffect(look, [pages, range]);
  useEffect(() => {
    const print = (): void =>
      setRange({ from: 0, to: latest.current.pages.length, kept: undefined });
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    addEventListener('beforeprint', print);
    addEventListener('afterprint', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
      removeEventListener('beforeprint', print);
      removeEventListener('afterprint', look);
    };
  }, [look]);
  return range;
}

/** The page of the row that has the focus. */
function keptPlace(list: HTMLElement, drawn: Range): number | undefined {
  const { activeElement } = document;
  if (activeElement === null || !list.contains(activeElement)) return undefined;
  const chunk = activeElement.closest<HTMLElement>('[data-place]');
  return chunk === null ? drawn.kept : Number(chunk.dataset['place']);
}

interface ChunkProps<T> extends Omit<LongListProps<T>, 'of'> {
  readonly page: Page<T>;
  /** How many rows are before it. */
  readonly first: number;
  /** Rows of the whole list, or -1 while nobody knows. */
  readonly size: number;
  readonly place: number;
}

function Chunk<T>({ page, first, size, place, keyOf, row }: ChunkProps<T>) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current !== null) page.height = element.current.getBoundingClientRect().height;
  });
  const rows = useMemo(
    () =>
      page.items.map((item, index) => (
        <div
          key={keyOf(item)}
          role="listitem"
          aria-posinset={first + index + 1}
          aria-setsize={size}
        >
          {row(item)}
        </div>
      )),
    [page, first, size],
  );
  return (
    <div ref={element} class="list" role="presentation" data-place={place}>
      {rows}
    </div>
  );
}

interface EndProps {
  readonly more: () => void;
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
}

/** Asks for more before it is seen; a button as well, for who has no wheel. */
function End({ more, isLoading, hasFailed }: EndProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    // What failed is asked for again by who presses the button, not by the list itself.
    if (element === null || isLoading || hasFailed) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.at(-1)?.isIntersecting === true && more(),
      { rootMargin: `${AHEAD_PX}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLoading, hasFailed, more]);
  return (
    <div class="actions" ref={place}>
      {isLoading ? (
        <Loading />
      ) : (
        !hasFailed && (
          <button type="button" onClick={more}>
            {T.more}
          </button>
        )
      )}
    </div>
  );
}
