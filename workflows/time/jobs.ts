import { RETIRED_AT_ONCE_MAX, retireLeaves } from '../../db/time/retention.ts';
import type { Job } from '../../server/hub/job.ts';
import { issuePulse } from './issuePulse.ts';
import { sealJournal } from './sealJournal.ts';
import { PULSE_TOPIC } from '../topics.ts';

/** Between two units others get their turn; what a day stamps is gone within an hour. */
const RETIRE_AGAIN_MS = 250;

export const jobs: readonly Job[] = [
  { name: 'pulse', everySeconds: 1, run: issuePulse },
  { name: 'sealJournal', everySeconds: 60, topic: PULSE_TOPIC, run: sealJournal },
  {
    name: 'retireLeaves',
    everySeconds: 600,
    run: async ({ store, clock }) => {
      const gone = await store.write((tx) => retireLeaves(tx, clock.now()));
      return gone === RETIRED_AT_ONCE_MAX ? RETIRE_AGAIN_MS : undefined;
    },
  },
];
