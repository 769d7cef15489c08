import type { Job } from '../../server/hub/job.ts';
import { chargeRents } from './rent.ts';

export const jobs: readonly Job[] = [{ name: 'storageRent', everySeconds: 60, run: chargeRents }];
