import { retireCounts } from '../../db/registry/counts.ts';
import { instant } from '../../domain/instant.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { settleDueMarkets } from './settle.ts';

/** Longer than any market waits for its number. */
const COUNTS_KEPT_MS = 8 * 86_400_000;

/** The clock of the markets; readers and writers apply what is due too (choices pipeline.due). */
export const jobs: readonly Job[] = [
  { name: 'settleMarkets', everySeconds: 1, run: settleDueMarkets },
  {
    name: 'retireListingCounts',
    everySeconds: 3_600,
    run: async ({ store, clock }: Hub) => {
      const before = instant(clock.now() - COUNTS_KEPT_MS);
      await store.write((tx) => retireCounts(tx, before));
    },
  },
];
