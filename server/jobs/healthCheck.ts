import type { Job } from '../../workflows/kernel/job.ts';

/** Compares the clock and probes the disk, at start and four times a minute. */
export const healthCheck: Job = {
  name: 'healthCheck',
  everySeconds: 15,
  run: async ({ health }) => void (await health.check()),
};
