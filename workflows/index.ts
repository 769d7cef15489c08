import type { Hub } from '../server/hub/hub.ts';
import type { Job } from '../server/hub/job.ts';
import { jobs as cases } from './cases/jobs.ts';
import { jobs as credit } from './credit/jobs.ts';
import { jobs as files } from './files/jobs.ts';
import { jobs as hosted } from './hosted/jobs.ts';
import { beginTransparency } from './log/begin.ts';
import { jobs as log } from './log/jobs.ts';
import { jobs as karma } from './karma/measure.ts';
import { jobs as memory } from './memory/jobs.ts';
import { jobs as models } from './models/jobs.ts';
import { jobs as moderation } from './moderation/jobs.ts';
import { jobs as panels } from './panels/jobs.ts';
import { jobs as passport } from './passport/jobs.ts';
import { jobs as poker } from './poker/jobs.ts';
import { jobs as predictions } from './predictions/jobs.ts';
import { jobs as rails } from './rails/jobs.ts';
import { endLeases } from './rails/leases.ts';
import { jobs as registry } from './registry/jobs.ts';
import { jobs as router } from './router/jobs.ts';
import { jobs as tasks } from './tasks/jobs.ts';
import { beginTime } from './time/begin.ts';
import { jobs as time } from './time/jobs.ts';
import { jobs as wallet } from './wallet/jobs.ts';
import { jobs as webhooks } from './webhooks/jobs.ts';
import { issueHouseMoney } from './wallet/houseMoney.ts';
import { beginX402 } from './x402/begin.ts';
import { jobs as x402 } from './x402/jobs.ts';

export { recentHosted } from './hosted/recent.ts';

/** Every job of every area. */
export const jobs: readonly Job[] = [
  ...cases,
  ...credit,
  ...files,
  ...hosted,
  ...log,
  ...karma,
  ...memory,
  ...models,
  ...moderation,
  ...panels,
  ...passport,
  ...poker,
  ...predictions,
  ...rails,
  ...registry,
  ...router,
  ...tasks,
  ...time,
  ...wallet,
  ...webhooks,
  ...x402,
];

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
