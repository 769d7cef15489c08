import type { Job } from '../kernel/job.ts';
import { announceSpaces } from './announce.ts';
import { deleteExpired } from './delete.ts';
import { reindexNotes } from './reindex.ts';
import { chargeRents } from './rent.ts';

export const jobs: readonly Job[] = [
  { name: 'storageRent', everySeconds: 60, run: chargeRents },
  { name: 'noteReindexing', everySeconds: 60, run: reindexNotes },
  { name: 'noteExpiry', everySeconds: 30, run: deleteExpired },
  { name: 'spaceEvents', everySeconds: 5, run: announceSpaces },
];
