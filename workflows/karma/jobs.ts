import type { Job } from '../../server/hub/job.ts';
import { measureKarma } from './measure.ts';

export const jobs: readonly Job[] = [measureKarma];
