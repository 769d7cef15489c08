import { openBatcher } from '../../../db/batcher.ts';
import { indexPage, indexState, likelyRows, QUEUED_MAX } from '../../../db/search/rows.ts';
import { indexQueue } from '../../../db/search/run.ts';
import { hydrate, type Hydrated } from '../../../db/search/hydrate.ts';
import type { Snapshot } from '../../../db/search/snapshots.ts';
import type { Store } from '../../../db/store.ts';
import type { FindRequest, Found } from '../../../domain/search/found.ts';
import { inProcess, inThread, type IndexHost } from './host.ts';
import { openRunner } from './run.ts';
import type { Snapshots } from './snapshots.ts';

/**
 * Search by words over listings, tools, tasks and comments. A search first loads the changes that
 * the index in memory lacks, so every process finds what any committed. A large index moves into a
 * thread, from the newest snapshot; while it loads, the database answers (choices search.index).
 */
export interface Search {
  /** Returns the hits, the best first. */
  find(request: FindRequest): Promise<readonly Found[]>;
  /** Returns the details of each hit that still exists; calls made at once share one read. */
  show(found: readonly Found[]): Promise<ReadonlyMap<Found, Hydrated>>;
  /** Begins to load a large index; a small one is loaded at the first search. */
  begin(): Promise<void>;
  /** Ends when nothing is being loaded any more, and what was written of it is stored. */
  loaded(): Promise<void>;
  /** Writes a snapshot if the newest one is far behind and no other process writes one. */
  renewSnapshot(): Promise<void>;
  figures(): SearchFigures;
  close(): Promise<void>;
}

interface SearchFigures {
  readonly documents: number;
  /** From the begin of the last load of a thread until it answered; undefined without one. */
  readonly readyMs: number | undefined;
}

/** Documents that are searched in the process: within a millisecond or two. */
const IN_PROCESS_MAX = 3_000;
/** Changes that a search waits for. */
const FEW_CHANGES = 3_000;
const PAGE = 200;
/** Few, so that the thread searches while the database returns the details of earlier hits. */
const SEARCHES_AT_ONCE_MAX = 4;
/** A snapshot that lacks more changes is far behind, but not if they are few for its index. */
const SNAPSHOT_BEHIND = 20_000;
const SNAPSHOT_SHARE = 10;

export function openSearch(
  store: Store,
  report: (error: unknown) => void,
  {
    snapshots,
    snapshotBehind = SNAPSHOT_BEHIND,
  }: { readonly snapshots?: Snapshots; readonly snapshotBehind?: number } = {},
): Search {
  let host = inProcess();
  let loading: Promise<void> | undefined;
  let storing: Promise<void> | undefined;
  /** The host that is loaded; it answers nothing meanwhile. */
  let filling: IndexHost | undefined;
  let readyMs: number | undefined;
  const closing = new AbortController();
  const { signal } = closing;

  const follow = async (of: IndexHost, until: number): Promise<void> => {
    while (of.known < until && !signal.aborted) {
      const page = await store.read((db) => indexPage(db, of.known, PAGE));
      if (page.count === 0) return;
      of.documents = (await of.ask({ is: 'take', rows: page.rows })).documents;
      of.known = page.until;
    }
  };
  const reportOpen = (error: unknown): void => {
    if (!signal.aborted) report(error);
  };
  const isFarBehind = (last: Snapshot | undefined, seq: number, documents: number): boolean =>
    seq - (last?.seq ?? 0) > Math.max(snapshotBehind, documents / SNAPSHOT_SHARE);
  const orReport = async <T>(work: Promise<T> | undefined): Promise<T | undefined> =>
    work?.catch((error: unknown) => {
      reportOpen(error);
      return undefined;
    });
  const followAll = async (of: IndexHost): Promise<void> => {
    let seq = 0;
    do {
      ({ seq } = await store.readOne(indexState));
      await follow(of, seq);
    } while (of.known + FEW_CHANGES < seq && !signal.aborted);
  };
  /**
   * Loads a thread from the newest snapshot on. The next snapshot is written before the thread answers,
   * because that takes all of its time, and stored while it answers.
   */
  const loadThread = async (isClaimed: boolean): Promise<void> => {
    const began = performance.now();
    const next = (filling = inThread());
    let put: (() => Promise<void>) | undefined;
    try {
      const last = await snapshots?.last();
      const restored = last && (await orReport(snapshots?.restore(next, last)));
      const { seq } = await store.readOne(indexState);
      const isDue = isFarBehind(restored, seq, next.documents);
      const isMine = isClaimed || (isDue && (await snapshots?.claim(last)));
      if (isDue && !isMine && restored === undefined) {
        const theirs = await snapshots?.next(last, signal);
        if (theirs !== undefined) await orReport(snapshots?.restore(next, theirs));
      }
      await followAll(next);
      signal.throwIfAborted();
      if (isMine) {
        put = await orReport(snapshots?.write(next));
      }
    } catch (error) {
      await next.close();
      throw error;
    }
    const former = host;
    [host, filling] = [next, undefined];
    readyMs = performance.now() - began;
    storing = orReport(put?.());
    if (former.uses === 0) await former.close();
  };
  /** A replaced host is closed by its last user. */
  const release = async (of: IndexHost): Promise<void> => {
    of.uses -= 1;
    if (of.uses === 0 && of !== host) await of.close();
  };
  const catchUp = async (): Promise<void> => {
    filling = host;
    await followAll(host);
  };
  const beginLoading = (load = host.isThread && host.alive() ? catchUp : loadThread): void => {
    loading ??= load(false)
      .catch(reportOpen)
      .finally(() => (loading = filling = undefined));
  };
  // A caller during a run waits for the next one, which sees what was written before that.
  const putIntoIndex = openBatcher<undefined, undefined>(Infinity, async (waiting) => {
    await indexQueue(store, { atOnce: QUEUED_MAX, batchesMax: 1 });
    return waiting.map(() => undefined);
  });
  /** The last change, with all that was written before; a long queue is left to its job. */
  const lastChange = async (): Promise<number> => {
    const state = await store.readOne(indexState);
    if (state.queued === 0 || state.queued >= QUEUED_MAX) return state.seq;
    await putIntoIndex(undefined);
    return (await store.readOne(indexState)).seq;
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
    if (seq - now.known <= FEW_CHANGES && now !== filling) {
      now.uses += 1;
      const following = follow(now, seq);
      const answer = following
        .then(() => now.ask({ is: 'find', requests }))
        .finally(() => release(now));
      // Two batches are under way: while a thread looks for one, the other's last change is read.
      const last = before;
      before = answer.catch(() => undefined);
      await following;
      if (!now.isThread && now.documents > IN_PROCESS_MAX) beginLoading();
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
      const shown = await store.readOne((db) => hydrate(db, lists.flat()));
      return lists.map(() => shown);
    }),
    async begin() {
      const { seq } = await store.readOne(indexState);
      if (seq > FEW_CHANGES) beginLoading();
    },
    async loaded() {
      await loading;
      await storing;
    },
    async renewSnapshot() {
      if (snapshots === undefined || !host.isThread) return;
      const last = await snapshots.last();
      const { seq } = await store.readOne(indexState);
      if (!isFarBehind(last, seq, host.documents) || !(await snapshots.claim(last))) return;
      await loading;
      beginLoading(() => loadThread(true));
      await loading;
      await storing;
    },
    figures: () => ({ documents: host.documents, readyMs }),
    async close() {
      closing.abort();
      await filling?.close();
      await host.close();
      await loading;
      await storing;
    },
  };
}
