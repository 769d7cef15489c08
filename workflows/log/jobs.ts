import type { Job } from '../kernel/job.ts';
import { sequenceLog } from './sequence.ts';

/** A checkpoint stands for some seconds, so that witnesses sign the newest one. */
export const jobs: readonly Job[] = [{ name: 'sequenceLog', everySeconds: 10, run: sequenceLog }];
