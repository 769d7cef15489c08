import { larger } from './larger.ts';

/**
 * Many sorted lists of whole numbers in few typed arrays. A list has a block of a power of two; one
 * that outgrows it moves into a larger one, and the old block waits for the next list of its size.
 */
export interface Lists {
  open(): number;
  /** The values as they are until the next change. */
  of(list: number): Uint32Array;
  length(list: number): number;
  /** Where the values stand until the next change: in `slab`, from `start` on. */
  slab(list: number): Uint32Array;
  start(list: number): number;
  /** Puts a value into its place; it must not be there. */
  put(list: number, value: number): void;
  /** Takes a value out that is there. */
  drop(list: number, value: number): void;
  clear(list: number): void;
  /** Returns the live arrays for `openLists`; the next change writes into them. */
  state(): ListsState;
}

export interface ListsState {
  readonly slabs: Uint32Array[];
  /** Starts of unused blocks, by the power of their size; null where none was ever unused. */
  readonly free: (number[] | null)[];
  /** The slab that blocks are taken of, and how much of it is taken. */
  readonly shared: number;
  readonly used: number;
  readonly lists: number;
  /** By list its start and its length, beside each other. */
  readonly spans: Uint32Array;
  readonly powers: Uint8Array;
}

/** Numbers of one slab; a larger block has a slab of its own. */
const SLAB_BITS = 18;
const SLAB = 1 << SLAB_BITS;
const FIRST_LISTS = 1 << 10;
const NO_BLOCK = 255;

function noLists(): ListsState {
  return {
    slabs: [],
    free: [],
    shared: 0,
    used: SLAB,
    lists: 0,
    spans: new Uint32Array(2 * FIRST_LISTS),
    powers: new Uint8Array(FIRST_LISTS).fill(NO_BLOCK),
  };
}

export function openLists(from = noLists()): Lists {
  const { slabs, free } = from;
  let { shared, used, lists, spans, powers } = from;

  const startOf = (list: number): number => spans[2 * list] ?? 0;
  const lengthOf = (list: number): number => spans[2 * list + 1] ?? 0;
  const addSlab = (size: number): number => slabs.push(new Uint32Array(size)) - 1;
  const block = (power: number): number => {
    const waiting = free[power]?.pop();
    if (waiting !== undefined) return waiting;
    const size = 1 << power;
    if (size >= SLAB) return addSlab(size) * SLAB;
    if (used + size > SLAB) [shared, used] = [addSlab(SLAB), 0];
    used += size;
    return shared * SLAB + used - size;
  };
  const giveBack = (list: number): void => {
    const power = powers[list] ?? NO_BLOCK;
    if (power === NO_BLOCK) return;
    (free[power] ??= []).push(startOf(list));
    powers[list] = NO_BLOCK;
  };
  const slabOf = (start: number): Uint32Array => slabs[start >>> SLAB_BITS] ?? new Uint32Array(0);
  const view = (list: number, length: number): Uint32Array => {
    if (length === 0) return new Uint32Array(0);
    const start = startOf(list);
    const from = start & (SLAB - 1);
    return slabOf(start).subarray(from, from + length);
  };
  const roomFor = (list: number, length: number): void => {
    const power = powers[list] ?? NO_BLOCK;
    if (power !== NO_BLOCK && length <= 1 << power) return;
    const values = view(list, lengthOf(list));
    const next = power === NO_BLOCK ? 0 : power + 1;
    const start = block(next);
    slabOf(start).set(values, start & (SLAB - 1));
    giveBack(list);
    spans[2 * list] = start;
    powers[list] = next;
  };
  const grow = (): void => {
    const size = 2 * powers.length;
    spans = larger(spans, new Uint32Array(2 * size));
    powers = larger(powers, new Uint8Array(size).fill(NO_BLOCK));
  };
  return {
    open() {
      if (lists === powers.length) grow();
      return lists++;
    },
    of: (list) => view(list, lengthOf(list)),
    length: lengthOf,
    slab: (list) => slabOf(startOf(list)),
    start: (list) => startOf(list) & (SLAB - 1),
    put(list, value) {
      const length = lengthOf(list);
      roomFor(list, length + 1);
      const values = view(list, length + 1);
      const at =
        length === 0 || (values[length - 1] ?? 0) < value ? length : placeOf(values, length, value);
      if (at < length) values.copyWithin(at + 1, at, length);
      values[at] = value;
      spans[2 * list + 1] = length + 1;
    },
    drop(list, value) {
      const length = lengthOf(list);
      const values = view(list, length);
      const at = placeOf(values, length, value);
      values.copyWithin(at, at + 1, length);
      spans[2 * list + 1] = length - 1;
      if (length === 1) giveBack(list);
    },
    clear(list) {
      spans[2 * list + 1] = 0;
      giveBack(list);
    },
    state: () => ({ slabs, free, shared, used, lists, spans, powers }),
  };
}

/** The place of the first value that is not less. */
function placeOf(values: Uint32Array, length: number, value: number): number {
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((values[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
