import type { Job } from '../kernel/job.ts';
import { CLOCK_TOPIC, settleDueTables } from './commit.ts';

/** The clock of the tables: deals, turns that ran out, seats that are given up. */
export const jobs: readonly Job[] = [
  { name: 'pokerClock', everySeconds: 1, topic: CLOCK_TOPIC, run: settleDueTables },
];
