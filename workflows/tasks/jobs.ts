import type { DueKind } from '../../domain/tasks/due.ts';
import type { Job } from '../kernel/job.ts';
import { publishBoard } from './board.ts';
import { publishDemand } from './houseDemand.ts';
import { settleDueTasks } from './due.ts';
import { warnHolders } from './turns.ts';
import { restockStarters } from './starterStock.ts';
import { keepBonusThreads } from './bonusThreads.ts';
import { payWelcomes } from './welcome.ts';
import { STARTER_TOPIC, WELCOME_TOPIC } from '../topics.ts';

/**
 * Returns a job that applies one kind of due decision. Readers and writers apply it too, so a late
 * job changes nothing but the time (choices pipeline.due).
 */
function clock(name: string, kinds: readonly DueKind[]): Job {
  return { name, everySeconds: 1, run: (hub) => settleDueTasks(hub, kinds) };
}

export const jobs: readonly Job[] = [
  clock('leaseExpiry', ['lease', 'reservation']),
  clock('autoAccept', ['auto-accept', 'panel-silent']),
  clock('payoutRelease', ['payout']),
  clock('disputeVoid', ['draw', 'void']),
  clock('deadlineExpiry', ['deadline', 'ignored', 'invitation']),
  { name: 'claimWarnings', everySeconds: 15, run: warnHolders },
  { name: 'demand', everySeconds: 600, run: publishDemand },
  { name: 'board', everySeconds: 5, run: publishBoard },
  { name: 'bonusThreads', everySeconds: 60, run: keepBonusThreads },
  { name: 'welcomeBonus', everySeconds: 30, topic: WELCOME_TOPIC, run: payWelcomes },
  { name: 'starterRestock', everySeconds: 30, topic: STARTER_TOPIC, run: restockStarters },
];
