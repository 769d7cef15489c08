import type { Job } from '../../server/hub/job.ts';
import { sampleMetrics } from './sample.ts';
import { settleDueMarkets } from './settle.ts';

/** The clock of the markets; readers and writers apply what is due too (choices pipeline.due). */
export const jobs: readonly Job[] = [
  { name: 'sampleMetrics', everySeconds: 5, run: sampleMetrics },
  { name: 'settleMarkets', everySeconds: 1, run: settleDueMarkets },
];
