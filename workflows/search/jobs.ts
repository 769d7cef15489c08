import type { Job } from '../kernel/job.ts';
import { forgetVectors, makeVectors } from './makeVectors.ts';

export const jobs: readonly Job[] = [
  { name: 'searchVectors', everySeconds: 15, reachesOut: true, run: makeVectors },
  { name: 'unusedVectors', everySeconds: 3_600, run: forgetVectors },
];
