import type { Job } from '../../workflows/kernel/job.ts';

/** Reads the end of the certificate of the hub's own address. */
export const certificateCheck: Job = {
  name: 'certificateCheck',
  everySeconds: 3_600,
  reachesOut: true,
  run: ({ health }) => health.checkCertificate(),
};
