import type { Job } from '../kernel/job.ts';
import { sweepFiles } from './sweep.ts';

export const jobs: readonly Job[] = [{ name: 'fileSweep', everySeconds: 600, run: sweepFiles }];
