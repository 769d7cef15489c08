import type { Job } from '../kernel/job.ts';
import { measureKarma } from './measure.ts';

export const jobs: readonly Job[] = [measureKarma];
