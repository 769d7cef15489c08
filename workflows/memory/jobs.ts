import type { Job } from '../../server/jobs/driver.ts';
import { sweepFiles } from '../files/sweep.ts';
import { chargeRents } from './rent.ts';

export const jobs: readonly Job[] = [
  { name: 'storageRent', everySeconds: 60, run: chargeRents },
  { name: 'fileSweep', everySeconds: 600, run: sweepFiles },
];
