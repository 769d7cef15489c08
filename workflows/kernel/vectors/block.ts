import type { Arena, Slab } from './arena.ts';
import { nearestFirst, type VectorHit } from './protocol.ts';

/**
 * The embeddings of one space. A search is exact: products in float32 choose what may be among the
 * nearest, and those are compared again in double precision, so that rounding decides nothing.
 */
export interface Block {
  /** Takes rows of (note, change, packed embedding or null); a note is there once, as last. */
  take(rows: readonly VectorRow[]): void;
  /** Looks at all notes, or at those whose numbers are given. */
  nearest(query: Float32Array, k: number, among?: readonly number[]): readonly VectorHit[];
  bytes(): number;
  /** Gives its room back; it is not used again. */
  free(): void;
}

export type VectorRow = readonly [no: number, changed: number, embedding: string | null];

/** Above the error of a float32 sum of 4,096 products of normalised vectors, in 16 partial sums. */
const ROUNDING = 2e-5;

export function openBlock(arena: Arena, dimensions: number): Block {
  const view = arena.rows(dimensions);
  const slabs: Slab[] = [];
  const places = new Map<number, number>();
  const notes: number[] = [];
  const changes: number[] = [];

  const remove = (no: number, place: number): void => {
    const last = notes.length - 1;
    if (place !== last) {
      view.row(slabs, place).set(view.row(slabs, last));
      notes[place] = notes[last] ?? 0;
      changes[place] = changes[last] ?? 0;
      places.set(notes[place], place);
    }
    notes.pop();
    changes.pop();
    places.delete(no);
  };
  const put = (no: number, changed: number, embedding: string): void => {
    const place = places.get(no) ?? notes.length;
    if (place === slabs.length * view.slabRows) slabs.push(arena.take());
    const row = view.row(slabs, place);
    row.fill(0, dimensions);
    Buffer.from(row.buffer, row.byteOffset, dimensions * 4).write(embedding, 'base64');
    notes[place] = no;
    changes[place] = changed;
    places.set(no, place);
  };
  return {
    take(rows) {
      for (const [no, changed, embedding] of rows) {
        const place = places.get(no);
        // Pages may come twice; what is older than what is there is no news.
        if (place !== undefined && (changes[place] ?? 0) >= changed) continue;
        if (embedding !== null) put(no, changed, embedding);
        else if (place !== undefined) remove(no, place);
      }
    },
    nearest(query, k, among) {
      const cosines = view.cosines(slabs, notes.length, query);
      const wanted = among && new Set(among);
      if (wanted !== undefined) {
        for (const [place, no] of notes.entries()) if (!wanted.has(no)) cosines[place] = -Infinity;
      }
      const least = kthLargest(cosines, k) - ROUNDING;
      const hits: VectorHit[] = [];
      for (const [place, cosine] of cosines.entries()) {
        if (cosine < least || cosine === -Infinity) continue;
        const distance = distanceOf(query, view.row(slabs, place));
        hits.push({ no: notes[place] ?? 0, changed: changes[place] ?? 0, distance });
      }
      return hits.sort(nearestFirst).slice(0, k);
    },
    bytes: () => slabs.length * arena.slabBytes,
    free() {
      for (const slab of slabs.splice(0)) arena.give(slab);
    },
  };
}

/** The k-th largest of the numbers, the least of all when there are fewer. */
function kthLargest(values: Float32Array, k: number): number {
  const best = new Float32Array(Math.min(k, values.length)).fill(-Infinity);
  let least = -Infinity;
  for (const value of values) {
    if (value <= least) continue;
    let at = best.length - 1;
    for (; at > 0 && (best[at - 1] ?? 0) < value; at -= 1) best[at] = best[at - 1] ?? 0;
    best[at] = value;
    least = best[best.length - 1] ?? 0;
  }
  return least;
}

/** 1 minus the cosine; both have length 1 up to their own rounding, which is taken out. */
function distanceOf(a: Float32Array, b: Float32Array): number {
  let [product, own, other] = [0, 0, 0];
  for (let n = 0; n < a.length; n += 1) {
    const [x, y] = [a[n] ?? 0, b[n] ?? 0];
    product += x * y;
    own += x * x;
    other += y * y;
  }
  return Math.min(2, Math.max(0, 1 - product / Math.sqrt(own * other)));
}
