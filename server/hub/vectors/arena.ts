import { DIMENSIONS } from '../../../domain/memory/embedding.ts';
import { dotOver } from './dot.ts';

/**
 * The one memory in which all blocks lie, in slabs of 32 vectors. A WebAssembly memory takes
 * gigabytes of addresses however little is in it, so there cannot be one for each space.
 */
export interface Arena {
  readonly slabRows: number;
  readonly slabBytes: number;
  take(): Slab;
  give(slab: Slab): void;
  /** A vector by its place in a list of slabs; good until the next `take`. */
  row(slabs: readonly Slab[], place: number): Float32Array;
  /** The products of the query with the first `count` vectors. */
  cosines(slabs: readonly Slab[], count: number, query: Float32Array): Float32Array;
}

/** Address of its first byte. */
export type Slab = number;

const SLAB_ROWS = 32;
const ROW_BYTES = DIMENSIONS * 4;
const SLAB_BYTES = SLAB_ROWS * ROW_BYTES;
const OUT = ROW_BYTES;
/** The query and the results of one slab stand in front. */
const SLABS_FROM = OUT + SLAB_ROWS * 4;
/** Pages by which it grows: 4 MB. */
const GROWTH_PAGES = 64;

export function openArena(): Arena {
  const memory = new WebAssembly.Memory({ initial: GROWTH_PAGES });
  const { dot } = dotOver(memory);
  const free: Slab[] = [];
  let end = SLABS_FROM;
  return {
    slabRows: SLAB_ROWS,
    slabBytes: SLAB_BYTES,
    take() {
      const known = free.pop();
      if (known !== undefined) return known;
      if (end + SLAB_BYTES > memory.buffer.byteLength) memory.grow(GROWTH_PAGES);
      end += SLAB_BYTES;
      return end - SLAB_BYTES;
    },
    give: (slab) => void free.push(slab),
    row(slabs, place) {
      const slab = slabs[Math.floor(place / SLAB_ROWS)] ?? SLABS_FROM;
      const at = slab + (place % SLAB_ROWS) * ROW_BYTES;
      return new Float32Array(memory.buffer, at, DIMENSIONS);
    },
    cosines(slabs, count, query) {
      const cosines = new Float32Array(count);
      new Float32Array(memory.buffer, 0, DIMENSIONS).set(query);
      const out = new Float32Array(memory.buffer, OUT, SLAB_ROWS);
      for (let done = 0; done < count; done += SLAB_ROWS) {
        const rows = Math.min(SLAB_ROWS, count - done);
        dot(0, slabs[done / SLAB_ROWS] ?? SLABS_FROM, rows, OUT);
        cosines.set(rows === SLAB_ROWS ? out : out.subarray(0, rows), done);
      }
      return cosines;
    },
  };
}

export function bytesOf(vectors: number): number {
  return Math.ceil(vectors / SLAB_ROWS) * SLAB_BYTES;
}
