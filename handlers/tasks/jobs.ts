import type { DueKind } from '../../domain/task/due.ts';
import type { Job } from '../../server/jobs/driver.ts';
import { STARTER_TOPIC } from './_commit.ts';
import { settleDueTasks } from './_due.ts';
import { restockStarters } from './_starter.ts';

/**
 * The clock of the tasks. Each job applies one kind of due decision, a batch at a time; readers and
 * writers apply them too, so a job that is late changes nothing but when it happens (choices 0.5).
 */
function clock(name: string, kinds: readonly DueKind[]): Job {
  return { name, everySeconds: 1, run: (hub) => settleDueTasks(hub, kinds) };
}

export const jobs: readonly Job[] = [
  clock('leaseExpiry', ['lease', 'reservation']),
  clock('autoAccept', ['auto-accept', 'panel-silent']),
  clock('payoutRelease', ['payout']),
  clock('deadlineExpiry', ['deadline', 'ignored']),
  { name: 'starterRestock', everySeconds: 30, topic: STARTER_TOPIC, run: restockStarters },
];
