import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * A table of any length: up to so many rows it is a table like any other; above, every row has the
 * same height and only those in sight are in the page, with room in place of the others.
 */
const WHOLE_ROWS_MAX = 50;
/** Rows beyond the edge of the box, and the step in which the window moves. */
const BEYOND = 12;
const STEP = 6;
/** Until the first row is measured. */
const GUESS_PX = 52;

interface LongTableProps<T> {
  readonly label: string;
  /** The cells of the head, one for each column. */
  readonly head: readonly ComponentChildren[];
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
  /** The cells of a row. */
  readonly cells: (row: T) => ComponentChildren;
  /** Called when the end of the list comes into sight. */
  readonly onEnd: () => void;
}

export function LongTable<T>({ label, head, rows, idOf, cells, onEnd }: LongTableProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const isLong = rows.length > WHOLE_ROWS_MAX;
  const { from, to, rowPx, look } = useWindow(box, rows.length, isLong, onEnd);
  const shown = isLong ? rows.slice(from, to) : rows;
  return (
    <div
      class={isLong ? 'scroll tall' : 'scroll'}
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={look}
    >
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>
          {isLong && <Room rows={from} px={rowPx} columns={head.length} />}
          {shown.map((row, place) => (
            <tr key={idOf(row)} aria-rowindex={(isLong ? from : 0) + place + 2}>
              {cells(row)}
            </tr>
          ))}
          {isLong && <Room rows={rows.length - to} px={rowPx} columns={head.length} />}
        </tbody>
      </table>
    </div>
  );
}

interface RoomProps {
  readonly rows: number;
  readonly px: number;
  readonly columns: number;
}

function Room({ rows, px, columns }: RoomProps) {
  if (rows <= 0) return null;
  return (
    <tr class="room" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${rows * px}px` }} />
    </tr>
  );
}

/** Which rows are in the page, by where the box is scrolled to. */
function useWindow(
  box: { readonly current: HTMLDivElement | null },
  count: number,
  isLong: boolean,
  onEnd: () => void,
) {
  const [from, setFrom] = useState(0);
  const [rowPx, setRowPx] = useState(GUESS_PX);
  const [seen, setSeen] = useState(BEYOND);
  const to = Math.min(count, from + seen + 2 * BEYOND + STEP);
  const look = (): void => {
    const { current } = box;
    if (current === null || !isLong) return;
    const first = Math.floor(current.scrollTop / rowPx) - BEYOND;
    setFrom(Math.max(0, first - (first % STEP)));
    setSeen(Math.ceil(current.clientHeight / rowPx));
    if (current.scrollTop + 2 * current.clientHeight > count * rowPx) onEnd();
  };
  useLayoutEffect(() => {
    const row = box.current?.querySelector('tbody tr:not(.room)');
    const height = row?.getBoundingClientRect().height ?? 0;
    if (isLong && height > 0) setRowPx(height);
    look();
  }, [count, isLong]);
  return { from, to, rowPx, look };
}
