import type { DueKind } from '../../domain/task/due.ts';
import type { Job } from '../../server/jobs/driver.ts';
import { STARTER_TOPIC } from './_commit.ts';
import { publishBoard } from './_board.ts';
import { publishDemand } from './_demand.ts';
import { settleDueTasks } from './_due.ts';
import { restockStarters } from './_starter.ts';
import { keepBonusThreads } from './_threads.ts';
import { payWelcomes, WELCOME_TOPIC } from './_welcome.ts';

/**
 * The clock of the tasks. Each job applies one kind of due decision, a batch at a time; readers and
 * writers apply them too, so a job that is late changes nothing but when it happens (choices
 * pipeline.due).
 */
function clock(name: string, kinds: readonly DueKind[]): Job {
  return { name, everySeconds: 1, run: (hub) => settleDueTasks(hub, kinds) };
}

export const jobs: readonly Job[] = [
  clock('leaseExpiry', ['lease', 'reservation']),
  clock('autoAccept', ['auto-accept', 'panel-silent']),
  clock('payoutRelease', ['payout']),
  clock('disputeVoid', ['draw', 'void']),
  clock('deadlineExpiry', ['deadline', 'ignored']),
  { name: 'demand', everySeconds: 600, run: publishDemand },
  { name: 'board', everySeconds: 5, run: publishBoard },
  { name: 'bonusThreads', everySeconds: 60, run: keepBonusThreads },
  { name: 'welcomeBonus', everySeconds: 30, topic: WELCOME_TOPIC, run: payWelcomes },
  { name: 'starterRestock', everySeconds: 30, topic: STARTER_TOPIC, run: restockStarters },
];
