import { balance } from '../../db/ledger/balances.ts';
import { passedTrial, passTrial } from '../../db/tasks/trials.ts';
import {
  dropWelcome,
  jobsForOthers,
  keepWelcome,
  lockWelcomeDay,
  nextWelcome,
  queueWelcome,
  welcomesOn,
} from '../../db/tasks/welcomeGrants.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/task/change.ts';
import { WELCOME_AMOUNT, WELCOME_DAY_BUDGET, WELCOME_JOBS } from '../../domain/task/limits.ts';
import { isTrial } from '../../domain/task/model.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { WELCOME_TOPIC } from '../topics.ts';
import { transfer } from '../wallet/transfer.ts';

export const WELCOME_NETWORK = 'base';
const WELCOME = houseAccount('hub:welcome');
const PLACE = { network: WELCOME_NETWORK, asset: ASSET } as const;
const PAID_EACH_RUN_MAX = 100;

/**
 * Called for every saved change: a job that was accepted, or a trial that was passed, may be the
 * last.
 */
export async function noteWelcome(tx: Writer, change: Change, at: Instant): Promise<void> {
  const { task, money } = change;
  if (isTrial(task) && task.state === 'accepted') {
    await passTrial(tx, task.id, at);
    const winner = change.attempts.find(({ id }) => id === task.accepted?.attemptId);
    if (winner !== undefined) await lineUp(tx, winner.worker, at);
  } else if (money?.step === 'reserve' || money?.step === 'release' || money?.step === 'rule') {
    await lineUp(tx, money.attempt.worker, at);
  }
}

/** Puts an account that meets both conditions in line; once there, it stays where it is. */
export async function lineUp(tx: Writer, account: Account, at: Instant): Promise<void> {
  const trial = await passedTrial(tx, account);
  if (trial === undefined || !(await hasJobs(tx, account))) return;
  await queueWelcome(tx, { account, site: trial.site, at });
  tx.publish(WELCOME_TOPIC);
}

async function hasJobs(db: Reader, account: Account): Promise<boolean> {
  return (await jobsForOthers(db, account, WELCOME_JOBS)).length >= WELCOME_JOBS;
}

/** Whether the paying account has the next bonus, and whether the day does. */
export async function welcomeMoney(
  db: Reader,
  now: Instant,
): Promise<{ readonly funded: boolean; readonly leftToday: boolean }> {
  const { spendable } = await balance(db, WELCOME, PLACE);
  const paid = await welcomesOn(db, utcDay(now));
  return { funded: spendable >= WELCOME_AMOUNT, leftToday: fits(paid) };
}

function fits(paidToday: number): boolean {
  return BigInt(paidToday + 1) * WELCOME_AMOUNT <= WELCOME_DAY_BUDGET;
}

/** Pays the line in its order, as far as the money of the day goes. */
export async function payWelcomes(hub: Hub): Promise<void> {
  for (let count = 0; count < PAID_EACH_RUN_MAX; count += 1) {
    if (!(await hub.store.write((tx) => payNext(tx, hub)))) return;
  }
}

/** False when nobody is to be paid now. */
async function payNext(tx: Writer, hub: Hub): Promise<boolean> {
  const at = hub.clock.now();
  const day = utcDay(at);
  if (!fits(await lockWelcomeDay(tx, day))) return false;
  const account = await nextWelcome(tx, day);
  if (account === undefined) return false;
  // A requester that was linked to the worker since then does not count any more.
  if (!(await hasJobs(tx, account))) {
    await dropWelcome(tx, account);
    return true;
  }
  const posted = await transfer(tx, hub, {
    network: WELCOME_NETWORK,
    event: 'bonus.welcome',
    actor: 'hub',
    at,
    steps: [
      { verb: 'move', from: WELCOME, to: account, amount: WELCOME_AMOUNT, reason: 'bonus.welcome' },
    ],
  });
  if ('refused' in posted) return false;
  await keepWelcome(tx, { account, day, at, transferId: posted.transferId });
  return true;
}
