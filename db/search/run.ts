import type { Document } from '../../domain/search/documents.ts';
import type { Store } from '../store.ts';
import { documentsFor, queued, type Queued } from './queue.ts';
import { applyQueued } from './write.ts';

export interface RunBounds {
  /** Listings, tasks and comments of one unit, which all other writers wait for on SQLite. */
  readonly atOnce: number;
  readonly batchesMax: number;
}

interface Batch {
  readonly entries: readonly Queued[];
  readonly documents: readonly Document[];
}

/**
 * Puts what is queued into the index, batch by batch; what is written meanwhile stays queued. The
 * text of a batch is taken apart while the one before it is written. True when nothing was left.
 */
export async function indexQueue(
  store: Store,
  { atOnce, batchesMax }: RunBounds,
): Promise<boolean> {
  let batch = await nextBatch(store, atOnce);
  for (let done = 0; done < batchesMax; done += 1) {
    const { entries, documents } = batch;
    const last = entries.at(-1);
    if (last === undefined) return true;
    const isLast = entries.length < atOnce || done + 1 === batchesMax;
    const writing = store.write((tx) => applyQueued(tx, entries, documents));
    const [next] = await Promise.all([
      isLast ? undefined : nextBatch(store, atOnce, last),
      writing,
    ]);
    if (next === undefined) return entries.length < atOnce;
    batch = next;
  }
  return false;
}

function nextBatch(store: Store, atOnce: number, after?: Queued): Promise<Batch> {
  return store.read(async (db) => {
    const entries = await queued(db, atOnce, after);
    return { entries, documents: await documentsFor(db, entries) };
  });
}
