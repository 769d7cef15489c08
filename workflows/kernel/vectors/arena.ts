import { DIMENSIONS } from '../../../domain/memory/embedding.ts';
import { DIMENSIONS_MAX } from '../../../domain/models/embedding.ts';
import { dotOver, STEP_NUMBERS, type Dot } from './dot.ts';

/**
 * The one memory in which all blocks lie, in slabs of one size: 32 vectors of 768 numbers, or fewer
 * of more. A WebAssembly memory takes gigabytes of addresses however little is in it, so there
 * cannot be one for each space.
 */
export interface Arena {
  readonly slabBytes: number;
  take(): Slab;
  give(slab: Slab): void;
  /** The view of vectors of so many numbers. */
  rows(dimensions: number): Rows;
}

interface Rows {
  readonly slabRows: number;
  /** A vector by its place in a list of slabs; good until the next `take`. */
  row(slabs: readonly Slab[], place: number): Float32Array;
  /** The products of the query with the first `count` vectors. */
  cosines(slabs: readonly Slab[], count: number, query: Float32Array): Float32Array;
}

/** Address of its first byte. */
export type Slab = number;

const SLAB_BYTES = 32 * DIMENSIONS * 4;
const OUT = DIMENSIONS_MAX * 4;
/** The query and the results of one slab stand in front; a row has at least one step. */
const SLABS_FROM = OUT + SLAB_BYTES / STEP_NUMBERS;
/** Pages by which it grows: 4 MB. */
const GROWTH_PAGES = 64;

/** Numbers of a row, those of the vector and then zeros. */
function widthOf(dimensions: number): number {
  return Math.ceil(dimensions / STEP_NUMBERS) * STEP_NUMBERS;
}

function slabRowsOf(dimensions: number): number {
  return Math.floor(SLAB_BYTES / 4 / widthOf(dimensions));
}

export function openArena(): Arena {
  const memory = new WebAssembly.Memory({ initial: GROWTH_PAGES });
  const views = new Map<number, Rows>();
  const free: Slab[] = [];
  let end = SLABS_FROM;
  return {
    slabBytes: SLAB_BYTES,
    take() {
      const known = free.pop();
      if (known !== undefined) return known;
      if (end + SLAB_BYTES > memory.buffer.byteLength) memory.grow(GROWTH_PAGES);
      end += SLAB_BYTES;
      return end - SLAB_BYTES;
    },
    give: (slab) => void free.push(slab),
    rows(dimensions) {
      const width = widthOf(dimensions);
      const known = views.get(width) ?? rowsOver(memory, width);
      views.set(width, known);
      return known;
    },
  };
}

function rowsOver(memory: WebAssembly.Memory, width: number): Rows {
  const rowBytes = width * 4;
  const slabRows = slabRowsOf(width);
  const { dot }: Dot = dotOver(memory, rowBytes);
  return {
    slabRows,
    row(slabs, place) {
      const slab = slabs[Math.floor(place / slabRows)] ?? SLABS_FROM;
      return new Float32Array(memory.buffer, slab + (place % slabRows) * rowBytes, width);
    },
    cosines(slabs, count, query) {
      const cosines = new Float32Array(count);
      const asked = new Float32Array(memory.buffer, 0, width);
      asked.fill(0).set(query);
      const out = new Float32Array(memory.buffer, OUT, slabRows);
      for (let done = 0; done < count; done += slabRows) {
        const rows = Math.min(slabRows, count - done);
        dot(0, slabs[done / slabRows] ?? SLABS_FROM, rows, OUT);
        cosines.set(rows === slabRows ? out : out.subarray(0, rows), done);
      }
      return cosines;
    },
  };
}

export function bytesOf(vectors: number, dimensions = DIMENSIONS): number {
  return Math.ceil(vectors / slabRowsOf(dimensions)) * SLAB_BYTES;
}
