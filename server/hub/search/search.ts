import { openBatcher } from '../../../db/batcher.ts';
import { indexPage, indexState, likelyRows, QUEUED_MAX } from '../../../db/search/rows.ts';
import { indexQueue } from '../../../db/search/run.ts';
import { hydrate, type Hydrated } from '../../../db/search/hydrate.ts';
import type { Store } from '../../../db/store.ts';
import type { FindRequest, Found } from '../../../domain/search/found.ts';
import { openThread } from '../threads/thread.ts';
import type { SearchAnswer, SearchTask } from './protocol.ts';
import { openRunner } from './run.ts';

/**
 * Search by words over listings, their tools, tasks and comments. The index is in memory and the
 * database its truth: a search reads the number of the last change first, and what the index lacks
 * up to there is loaded before, so every process finds what any of them has committed. A small index
 * stays in the process; a large one moves into a worker thread, and while it is loaded the database
 * answers by itself (choices search.index).
 */
export interface Search {
  /** Returns the hits, the best first. */
  find(request: FindRequest): Promise<readonly Found[]>;
  /** Returns the details of each hit that still exists; calls made at once share one read. */
  show(found: readonly Found[]): Promise<ReadonlyMap<Found, Hydrated>>;
  /** Begins to load a large index; a small one is loaded at the first search. */
  begin(): Promise<void>;
  /** Ends when nothing is being loaded any more. */
  loaded(): Promise<void>;
  close(): Promise<void>;
}

/** Where an index is. */
interface IndexHost {
  /** The last change that it knows. */
  known: number;
  documents: number;
  readonly isThread: boolean;
  readonly alive: () => boolean;
  ask(task: SearchTask): SearchAnswer | Promise<SearchAnswer>;
  close(): Promise<void>;
}

/** Documents that are searched in the process: within a millisecond or two. */
const IN_PROCESS_MAX = 3_000;
/** Changes that a search waits for. */
const FEW_CHANGES = 3_000;
const PAGE = 200;
/** Few, so that the thread searches while the database returns the details of earlier hits. */
const SEARCHES_AT_ONCE_MAX = 4;

export function openSearch(store: Store, report: (error: unknown) => void): Search {
  let host = inProcess();
  let loading: Promise<void> | undefined;
  let closed = false;

  const follow = async (of: IndexHost, until: number): Promise<void> => {
    while (of.known < until && !closed) {
      const page = await store.read((db) => indexPage(db, of.known, PAGE));
      if (page.count === 0) return;
      of.documents = (await of.ask({ is: 'take', rows: page.rows })).documents;
      of.known = page.until;
    }
  };
  const load = async (): Promise<void> => {
    const next = host.isThread && host.alive() ? host : inThread();
    try {
      let seq = 0;
      do {
        ({ seq } = await store.read(indexState));
        await follow(next, seq);
      } while (next.known + FEW_CHANGES < seq && !closed);
    } catch (error) {
      await next.close();
      throw error;
    }
    // The one before was in the process, or had ended.
    host = next;
  };
  const beginLoading = (): void => {
    loading ??= load()
      .catch((error: unknown) => {
        if (!closed) report(error);
      })
      .finally(() => (loading = undefined));
  };
  // A caller during a run waits for the next one, which sees what was written before that.
  const putIntoIndex = openBatcher<undefined, undefined>(Infinity, async (waiting) => {
    await indexQueue(store, { atOnce: QUEUED_MAX, batchesMax: 1 });
    return waiting.map(() => undefined);
  });
  /** The last change, with all that was written before; a long queue is left to its job. */
  const lastChange = async (): Promise<number> => {
    const state = await store.read(indexState);
    if (state.queued === 0 || state.queued >= QUEUED_MAX) return state.seq;
    await putIntoIndex(undefined);
    return (await store.read(indexState)).seq;
  };
  const fromDatabase = async (request: FindRequest): Promise<readonly Found[]> => {
    const run = openRunner();
    run({ is: 'take', rows: await store.read((db) => likelyRows(db, request)) });
    return run({ is: 'find', requests: [request] }).found[0] ?? [];
  };
  let before: Promise<unknown> | undefined;
  const findAll = async (
    requests: readonly FindRequest[],
  ): Promise<readonly (readonly Found[] | Promise<readonly Found[]>)[]> => {
    const seq = await lastChange();
    if (!host.alive()) host = inProcess();
    const now = host;
    const isBusy = now.isThread && loading !== undefined;
    if (seq - now.known <= FEW_CHANGES && !isBusy) {
      await follow(now, seq);
      if (!now.isThread && now.documents > IN_PROCESS_MAX) beginLoading();
      const answer = Promise.resolve(now.ask({ is: 'find', requests }));
      // Two batches are under way: while a thread looks for one, the other's last change is read.
      const last = before;
      before = answer.catch(() => undefined);
      await last;
      return requests.map(async (_, nth) => (await answer).found[nth] ?? []);
    }
    beginLoading();
    const found: (readonly Found[])[] = [];
    for (const request of requests) found.push(await fromDatabase(request));
    return found;
  };
  return {
    find: openBatcher(SEARCHES_AT_ONCE_MAX, findAll),
    show: openBatcher(SEARCHES_AT_ONCE_MAX, async (lists) => {
      const shown = await store.read((db) => hydrate(db, lists.flat()));
      return lists.map(() => shown);
    }),
    async begin() {
      const { seq } = await store.read(indexState);
      if (seq > FEW_CHANGES) beginLoading();
    },
    async loaded() {
      await loading;
    },
    async close() {
      closed = true;
      await host.close();
      await loading;
    },
  };
}

function inProcess(): IndexHost {
  const ask = openRunner();
  const close = (): Promise<void> => Promise.resolve();
  return { known: 0, documents: 0, isThread: false, alive: () => true, ask, close };
}

function inThread(): IndexHost {
  const thread = openThread<SearchTask, string>(import.meta.url, 'search');
  return {
    known: 0,
    documents: 0,
    isThread: true,
    alive: () => thread.alive,
    ask: async (task) => JSON.parse(await thread.ask(task)) as SearchAnswer,
    close: () => thread.close(),
  };
}
