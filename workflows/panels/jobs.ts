import type { Job } from '../kernel/job.ts';
import { movePanels } from './progress.ts';
import { measureJudges } from '../validators/measure.ts';
import { probeSeats } from '../validators/seatProbe.ts';
import { callJudges } from './judgeCalls.ts';
import { JUDGE_CALLS_TOPIC, PANELS_TOPIC } from '../topics.ts';

/** Calls go out from here alone, each claimed first, so that processes never make one twice. */
export const jobs: readonly Job[] = [
  { name: 'panels', everySeconds: 1, topic: PANELS_TOPIC, run: movePanels },
  {
    name: 'panelCalls',
    everySeconds: 1,
    topic: JUDGE_CALLS_TOPIC,
    reachesOut: true,
    run: callJudges,
  },
  { name: 'judgeMeasures', everySeconds: 30, run: measureJudges },
  {
    name: 'seatProbes',
    everySeconds: 1,
    topic: JUDGE_CALLS_TOPIC,
    reachesOut: true,
    run: probeSeats,
  },
];
