import type { Hub } from './kernel/hub.ts';
import { beginTransparency } from './log/begin.ts';
import { endLeases } from './rails/leases.ts';
import { beginTime } from './time/begin.ts';
import { issueHouseMoney } from './wallet/houseMoney.ts';
import { beginX402 } from './x402/begin.ts';

export { recentHosted } from './hosted/recent.ts';
export { jobs } from './jobs.ts';
export { chainState, wrongClock, type ChainState } from './time/clock.ts';

/** Creates what the first answer needs; safe to repeat, by several processes at once. */
export async function begin(hub: Hub): Promise<void> {
  await beginTime(hub);
  await beginTransparency(hub);
  await issueHouseMoney(hub);
  await beginX402(hub);
}

/** Releases what a process holds when it stops; its store is still open. */
export async function end(hub: Hub): Promise<void> {
  await endLeases(hub);
}

/** Decisions of the operator's command line. */
export { answerDecision, banAccount, hideSubject, type Decided } from './moderation/decide.ts';
export { plantAnswer } from './validators/plant.ts';
export { cancelWithdrawal, releaseWithdrawal } from './rails/operator.ts';
export { withdrawPulses } from './time/withdraw.ts';
export { planSweep, submitSweep, type SweepingHub } from './rails/sweep.ts';
