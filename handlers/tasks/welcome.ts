import { openTrial, passedTrial, trialsSince } from '../../db/tasks/trials.ts';
import { jobsForOthers, welcomeGrant } from '../../db/tasks/welcomeGrants.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { TRIALS_A_DAY, WELCOME_AMOUNT, WELCOME_JOBS } from '../../domain/tasks/limits.ts';
import { welcomeState } from '../../domain/tasks/welcome.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { lineUp, WELCOME_NETWORK, welcomeMoney } from '../../workflows/tasks/welcome.ts';
import { taskPath } from '../../workflows/tasks/nextActions.ts';

type Welcome = Schemas['Welcome'];
const COUNTED_MAX = 10;

/** Where the account stands, what it still has to do, and what the money waits for. */
export const welcome: Handler<'tasks.welcome'> = async (call, hub) => {
  const { owner } = call.path;
  const now = hub.clock.now();
  const facts = await factsOf(hub, owner, now);
  const state = welcomeState({
    jobs: facts.jobs.length,
    trialPassed: facts.passed !== undefined,
    paid: facts.grant?.paid !== undefined,
    funded: facts.money.funded,
  });
  const inLine = state === 'queued' || state === 'unfunded';
  // The last job and the trial may have ended in the same moment, each not seeing the other.
  const { passed: trial } = facts;
  if (inLine && facts.grant === undefined && trial !== undefined) {
    const waiting = { account: owner, site: trial.site };
    await hub.transact(call, { needs: [], decide: (db) => lineUp(db, hub, waiting, now) });
  }
  const { jobs, passed, open, tried, grant } = facts;
  const triesLeftToday = Math.max(0, TRIALS_A_DAY - tried);
  return {
    status: 200,
    body: {
      owner,
      state,
      jobs: { done: jobs.length, need: WELCOME_JOBS, counted: jobs },
      trial: {
        passed: passed !== undefined,
        passedAt: passed?.at,
        openTaskId: open?.taskId,
        triesLeftToday,
      },
      amount: WELCOME_AMOUNT,
      asset: ASSET,
      network: WELCOME_NETWORK,
      ...(grant?.paid && { paidAt: grant.paid.at, transferId: grant.paid.transferId }),
      next: nextSteps(owner, facts, triesLeftToday),
    },
  };
};

async function factsOf(hub: Hub, owner: Account, now: Instant) {
  return hub.store.read(async (db) => ({
    jobs: await jobsForOthers(db, owner, COUNTED_MAX),
    passed: await passedTrial(db, owner),
    open: await openTrial(db, owner, now),
    tried: await trialsSince(db, owner, utcDay(now)),
    grant: await welcomeGrant(db, owner),
    money: await welcomeMoney(db, now),
  }));
}

/** Only what the owner can do; waiting for the money of a day is no step. */
function nextSteps(
  owner: Account,
  { jobs, passed, open }: Awaited<ReturnType<typeof factsOf>>,
  triesLeft: number,
): Welcome['next'] {
  if (!owner.startsWith('key:')) return [];
  const steps: Welcome['next'][number][] = [];
  const step = (action: string, path: string, body: Record<string, unknown>): void => {
    steps.push({ action, who: owner, call: { method: 'POST', path, body } });
  };
  if (jobs.length < WELCOME_JOBS) step('tasks.claimNext', '/api/v1/tasks/claim?wait=20', {});
  if (passed !== undefined) return steps;
  if (open !== undefined) {
    const body = { claimToken: '<your claim token>', result: '<your result>' };
    step('tasks.submit', taskPath(open.taskId, 'submit'), body);
  } else if (triesLeft > 0) step('tasks.trial', '/api/v1/trials', { account: owner });
  return steps;
}
