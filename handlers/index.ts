import type { Handlers } from '../server/handler.ts';
import type { Hub } from '../server/hub.ts';
import type { Job } from '../server/jobs/driver.ts';
import { chains } from './chains/index.ts';
import { discovery } from './discovery/index.ts';
import { jobs as discoveryJobs } from './discovery/jobs.ts';
import { passport } from './passport/index.ts';
import { jobs as passportJobs } from './passport/jobs.ts';
import { games } from './games/index.ts';
import { pending } from './pending.ts';
import { poker } from './poker/index.ts';
import { jobs as pokerJobs } from '../workflows/poker/jobs.ts';
import { predictions } from './predictions/index.ts';
import { jobs as marketJobs } from '../workflows/predictions/jobs.ts';
import { registry } from './registry/index.ts';
import { jobs as crawlJobs } from './registry/jobs.ts';
import { jobs as routerJobs } from './router/jobs.ts';
import { router } from './router/index.ts';
import { services } from './services/index.ts';
import { jobs as serviceJobs } from './services/jobs.ts';
import { jobs as taskJobs } from './tasks/jobs.ts';
import { tasks } from './tasks/index.ts';
import { beginTime } from './time/_begin.ts';
import { time } from './time/index.ts';
import { jobs as timeJobs } from './time/jobs.ts';
import { validators } from './validators/index.ts';
import { jobs as validatorJobs } from './validators/jobs.ts';
import { issueHouseMoney } from './wallet/_issue.ts';
import { wallet } from './wallet/index.ts';

/** Every operation of the contract; one that is missing does not compile. */
export const handlers: Handlers = {
  ...chains,
  ...discovery,
  ...games,
  ...passport,
  ...poker,
  ...predictions,
  ...registry,
  ...router,
  ...services,
  ...tasks,
  ...time,
  ...validators,
  ...wallet,
  ...pending,
};

export const jobs: readonly Job[] = [
  ...crawlJobs,
  ...discoveryJobs,
  ...passportJobs,
  ...marketJobs,
  ...pokerJobs,
  ...routerJobs,
  ...serviceJobs,
  ...taskJobs,
  ...timeJobs,
  ...validatorJobs,
];

/** What must be there before the first answer; safe to repeat, by several processes at once. */
export async function begin(hub: Hub): Promise<void> {
  await beginTime(hub);
  await issueHouseMoney(hub);
}
