import { defined } from '../../../domain/defined.ts';
import { bytesOf } from './arena.ts';
import { openThread, type Thread } from '../threads/thread.ts';
import { nearestFirst, type VectorAnswer, type VectorHit, type VectorTask } from './protocol.ts';

/**
 * Exact search by embedding in a worker. A space is loaded when it is searched, with all changes
 * that the search names, and cached within the budget; the least used space leaves first.
 */
export interface Vectors {
  /** The k nearest of a space that has `changes` changes and `embedded` embeddings. */
  nearest(search: VectorSearch): Promise<readonly VectorHit[]>;
  kept(): { readonly spaces: number; readonly bytes: number };
  close(): Promise<void>;
}

interface VectorSearch {
  readonly space: number;
  readonly changes: number;
  readonly embedded: number;
  /** Has as many numbers as every vector of the space. */
  readonly query: Float32Array;
  readonly k: number;
  /** The only notes that are wanted, by their numbers; all when absent. */
  readonly among?: readonly number[];
  /** A page of what changed after that; the last one is empty or ends at the newest change. */
  readonly load: (after: number) => Promise<LoadedPage>;
}

export interface LoadedPage {
  /** JSON rows of (note, change, packed embedding or null). */
  readonly rows: string;
  readonly count: number;
  readonly until: number;
}

/** Too many searches wait already; nothing was done (503 `busy`). */
export class VectorsBusy extends Error {
  override readonly name = 'VectorsBusy';
}

type VectorThread = Thread<VectorTask, VectorAnswer>;

const SEARCHES_MAX = 256;

/** Changes that are loaded at once; more wait until no other space is being loaded. */
const FEW_CHANGES = 320;

interface Kept {
  until: number;
  bytes: number;
  /** Searches that need it; it does not leave before they have ended. */
  users: number;
  /** Ends when all loads that were asked for have ended; they go one after the other. */
  loading: Promise<void>;
}

export function openVectors(budgetBytes: number): Vectors {
  let thread: VectorThread | undefined;
  /** The least used first. */
  let kept = new Map<number, Kept>();
  let running = 0;
  /** Ends when the long loads have: one goes at a time, so one at most exceeds the budget. */
  let longLoads: Promise<void> = Promise.resolve();

  const live = (): VectorThread => {
    if (thread?.alive !== true) {
      thread = openThread(import.meta.url, 'vector');
      kept = new Map();
    }
    return thread;
  };
  const total = (): number => [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const makeRoom = async (worker: VectorThread): Promise<void> => {
    for (const [space, { users }] of kept) {
      if (total() <= budgetBytes) return;
      if (users > 0) continue;
      kept.delete(space);
      await worker.ask({ is: 'drop', space });
    }
  };
  const loadInto = async (
    worker: VectorThread,
    block: Kept,
    { space, changes, load, query }: VectorSearch,
  ): Promise<void> => {
    while (block.until < changes) {
      const page = await load(block.until);
      if (page.count === 0) return;
      const { bytes } = await worker.ask({
        is: 'take',
        space,
        rows: page.rows,
        dimensions: query.length,
      });
      block.until = page.until;
      block.bytes = bytes;
      await makeRoom(worker);
    }
  };
  /** Nothing of a space larger than the budget is cached: it is read page after page. */
  const scan = async (worker: VectorThread, search: VectorSearch): Promise<VectorHit[]> => {
    const { query, k, changes, load, among } = search;
    const wanted = { query, k, ...defined({ among }) };
    let best: VectorHit[] = [];
    for (let after = 0; after < changes;) {
      const page = await load(after);
      if (page.count === 0) break;
      const { hits } = await worker.ask({ is: 'scan', rows: page.rows, ...wanted });
      // A note that was overwritten meanwhile comes again; its last embedding counts.
      const renewed = new Set(hits.map(({ no }) => no));
      best = [...best.filter(({ no }) => !renewed.has(no)), ...hits].sort(nearestFirst).slice(0, k);
      after = page.until;
    }
    return best;
  };
  const search = async (wanted: VectorSearch): Promise<readonly VectorHit[]> => {
    const { space, embedded, query, k, among } = wanted;
    const worker = live();
    if (bytesOf(embedded, query.length) > budgetBytes) return scan(worker, wanted);
    const block = kept.get(space) ?? { until: 0, bytes: 0, users: 0, loading: Promise.resolve() };
    kept.delete(space);
    kept.set(space, block);
    block.users += 1;
    try {
      const isLong = wanted.changes - block.until > FEW_CHANGES;
      const before = isLong ? Promise.all([longLoads, block.loading]) : block.loading;
      const loaded = before.then(() => loadInto(worker, block, wanted));
      block.loading = loaded.catch(() => undefined);
      if (isLong) longLoads = block.loading;
      await loaded;
      return (await worker.ask({ is: 'search', space, query, k, ...defined({ among }) })).hits;
    } finally {
      block.users -= 1;
      await makeRoom(worker);
    }
  };
  return {
    async nearest(wanted) {
      if (running >= SEARCHES_MAX) throw new VectorsBusy('too many searches wait');
      running += 1;
      try {
        return await search(wanted);
      } finally {
        running -= 1;
      }
    },
    kept: () => ({ spaces: kept.size, bytes: total() }),
    async close() {
      await thread?.close();
    },
  };
}
