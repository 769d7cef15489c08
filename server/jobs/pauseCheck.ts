import { LEDGER_PAUSE_TOPIC, readPause } from '../../db/operator/pause.ts';
import type { Job } from '../../workflows/kernel/job.ts';

/** Does in this process what `hubctl freeze` and `hubctl thaw` said in the database. */
export const pauseCheck: Job = {
  name: 'pauseCheck',
  everySeconds: 1,
  topic: LEDGER_PAUSE_TOPIC,
  run: async ({ store, log }) => {
    const pause = await store.read(readPause);
    if (store.pause(pause?.since)) log.warn({ pause }, pause ? 'no money moves' : 'money moves');
  },
};
