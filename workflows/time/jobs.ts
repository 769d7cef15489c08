import { RETIRED_AT_ONCE_MAX, retireLeaves } from '../../db/time/retention.ts';
import { againIfFull, type Job } from '../kernel/job.ts';
import { issuePulse } from './issuePulse.ts';
import { sealJournal } from './sealJournal.ts';
import { PULSE_TOPIC } from '../topics.ts';

export const jobs: readonly Job[] = [
  { name: 'pulse', everySeconds: 1, run: issuePulse },
  { name: 'sealJournal', everySeconds: 60, topic: PULSE_TOPIC, run: sealJournal },
  {
    name: 'retireLeaves',
    everySeconds: 600,
    run: async ({ store, clock }) => {
      const gone = await store.write((tx) => retireLeaves(tx, clock.now()));
      return againIfFull(gone, RETIRED_AT_ONCE_MAX);
    },
  },
];
