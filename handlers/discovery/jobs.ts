import { documentsFor, queued } from '../../db/search/queue.ts';
import { applyQueued } from '../../db/search/write.ts';
import type { Hub } from '../../server/hub.ts';
import type { Job } from '../../server/jobs/driver.ts';
import { recordCases } from './_cases.ts';

/** Listings, tasks and comments of one unit: long enough to share words, short enough to wait for. */
const AT_ONCE_MAX = 64;
const BATCHES_MAX = 20;

/**
 * Puts what was written into the search index. The text is taken apart before the unit begins; what
 * is written meanwhile stays queued.
 */
async function indexQueued({ store }: Hub): Promise<number | undefined> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const { entries, documents } = await store.read(async (db) => {
      const next = await queued(db, AT_ONCE_MAX);
      return { entries: next, documents: await documentsFor(db, next) };
    });
    if (entries.length === 0) return undefined;
    await store.write((tx) => applyQueued(tx, entries, documents));
    if (entries.length < AT_ONCE_MAX) return undefined;
  }
  return 0;
}

export const jobs: readonly Job[] = [
  { name: 'searchIndex', everySeconds: 1, run: indexQueued },
  { name: 'cases', everySeconds: 30, run: recordCases },
];
