import type { Job } from '../../server/jobs/driver.ts';
import { movePanels } from './_panels.ts';
import { probeSeats } from './_probe.ts';
import { CALLS_TOPIC, PANELS_TOPIC } from './_topics.ts';
import { callJudges } from './_votes.ts';

/** Calls go out from here alone, each claimed first, so that processes never make one twice. */
export const jobs: readonly Job[] = [
  { name: 'panels', everySeconds: 1, topic: PANELS_TOPIC, run: movePanels },
  { name: 'panelCalls', everySeconds: 1, topic: CALLS_TOPIC, run: callJudges },
  { name: 'seatProbes', everySeconds: 1, topic: CALLS_TOPIC, run: probeSeats },
];
