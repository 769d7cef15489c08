import type { Handlers } from '../server/handler.ts';
import type { Hub } from '../server/hub.ts';
import type { Job } from '../server/jobs/driver.ts';
import { discovery } from './discovery/index.ts';
import { pending } from './pending.ts';
import { jobs as taskJobs } from './tasks/jobs.ts';
import { tasks } from './tasks/index.ts';
import { issueHouseMoney } from './wallet/_issue.ts';
import { wallet } from './wallet/index.ts';

/** Every operation of the contract; one that is missing does not compile. */
export const handlers: Handlers = { ...discovery, ...tasks, ...wallet, ...pending };

export const jobs: readonly Job[] = [...taskJobs];

/** What must be there before the first answer; safe to repeat, by several processes at once. */
export async function begin(hub: Hub): Promise<void> {
  await issueHouseMoney(hub);
}
