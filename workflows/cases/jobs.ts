import { indexQueue } from '../../db/search/run.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { recordCases } from './record.ts';

/** Rows of one unit: long enough to share words, short enough to wait for. */
const AT_ONCE_MAX = 128;
const BATCHES_MAX = 20;

async function indexQueued({ store }: Hub): Promise<number | undefined> {
  const isAll = await indexQueue(store, { atOnce: AT_ONCE_MAX, batchesMax: BATCHES_MAX });
  return isAll ? undefined : 0;
}

export const jobs: readonly Job[] = [
  { name: 'searchIndex', everySeconds: 1, run: indexQueued },
  { name: 'searchSnapshot', everySeconds: 60, run: ({ search }) => search.renewSnapshot() },
  { name: 'cases', everySeconds: 30, run: recordCases },
];
