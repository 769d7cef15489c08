import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Page, Pages } from '../pages.ts';
import { useShortcut } from '../shortcuts.ts';
import { T } from '../texts.ts';
import { Failure, Loading } from './states.tsx';

/** Rows are there this far above and below the window, and pages are asked for this far ahead. */
const AHEAD = '1000px 0px';

interface LongListProps<T> {
  readonly of: Pages<T>;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T) => ComponentChildren;
}

/**
 * A list of any length: the next page is asked for before its end is seen, and of all pages only
 * those near the window have rows; the others keep their height.
 */
export function LongList<T>({
  of: { value = [], moreError, isLoading, more, reload },
  keyOf,
  row,
}: LongListProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  useShortcut('jk', (key) => enter(list.current, key === 'j'));
  const isWhole = value.at(-1)?.next === undefined;
  const total = value.reduce((sum, { items }) => sum + items.length, 0);
  let before = 0;
  const chunks = value.map((page, place) => {
    const first = before;
    before += page.items.length;
    return (
      <Chunk
        key={place}
        page={page}
        first={first}
        size={isWhole ? total : -1}
        keyOf={keyOf}
        row={row}
      />
    );
  });
  return (
    <>
      {total > 0 && (
        <div role="list" class="pages" ref={list} onKeyDown={walk} onClick={follow}>
          {chunks}
        </div>
      )}
      {!isWhole && <End more={more} isLoading={isLoading} hasFailed={moreError !== undefined} />}
      {moreError !== undefined && !isLoading && <Failure error={moreError} retry={reload} />}
    </>
  );
}

/** A press anywhere on a row follows its link, unless it is on another control or marks text. */
function follow({ target }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a, button') !== null) return;
  if (getSelection()?.isCollapsed === false) return;
  target.closest('article')?.querySelector<HTMLElement>('h2 a')?.click();
}

/** From anywhere on the page, j goes to the first row that is seen and k to the last one. */
function enter(list: HTMLElement | null, isFirst: boolean): void {
  const links = [...(list?.querySelectorAll<HTMLElement>('h2 a') ?? [])];
  const seen = links.filter((link) => {
    const { top, bottom } = link.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  const next = isFirst ? (seen[0] ?? links[0]) : (seen.at(-1) ?? links.at(-1));
  next?.focus();
}

/** From the link of a row, arrows (or j and k) go to the link of the row below or above. */
function walk(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const by = STEPS[event.key];
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('h2 a')];
  const place = links.findIndex((link) => link === document.activeElement);
  const next = by === undefined || place < 0 ? undefined : links[place + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

interface ChunkProps<T> extends Omit<LongListProps<T>, 'of'> {
  readonly page: Page<T>;
  readonly first: number;
  /** Rows of the whole list, or -1 while their number is unknown. */
  readonly size: number;
}

function Chunk<T>({ page, first, size, keyOf, row }: ChunkProps<T>) {
  const [place, isNear] = useNear(page);
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
    <div
      ref={place}
      class="list"
      role="presentation"
      style={isNear ? undefined : { height: `${page.height}px` }}
    >
      {isNear && rows}
    </div>
  );
}

/** Whether a page's place is near the window; who is in it with the keyboard, or prints, keeps it. */
function useNear<T>(page: Page<T>) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(page.height === 0);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const { isIntersecting = true, boundingClientRect } = entries.at(-1) ?? {};
        if (!isIntersecting && element.contains(document.activeElement)) return;
        if (!isIntersecting && boundingClientRect !== undefined) {
          page.height = boundingClientRect.height;
        }
        setNear(isIntersecting);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    const print = (): void => setNear(true);
    addEventListener('beforeprint', print);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', print);
    };
  }, [page]);
  return [place, isNear] as const;
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
    // A page that failed is asked for again by the button, not by the list itself.
    if (element === null || isLoading || hasFailed) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.at(-1)?.isIntersecting === true && more(),
      { rootMargin: AHEAD },
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
