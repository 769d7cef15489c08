import { strict as assert } from 'node:assert';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { balance } from '../../db/ledger/balances.ts';
import { LINKED } from '../../db/tasks/linkLookups.ts';
import { TRIALS } from '../../db/tasks/trials.ts';
import {
  BEFORE_WELCOME,
  dropWelcome,
  jobsForOthers,
  keepWelcome,
  lockWelcomeDay,
  nextWelcome,
  OTHER_JOBS,
  WELCOME_GRANTS,
  welcomesOn,
} from '../../db/tasks/welcomeGrants.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { paidBy, type Change } from '../../domain/tasks/change.ts';
import { WELCOME_AMOUNT, WELCOME_DAY_BUDGET, WELCOME_JOBS } from '../../domain/tasks/limits.ts';
import { isTrial, type Attempt, type Task } from '../../domain/tasks/model.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Hub } from '../kernel/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { WELCOME_TOPIC } from '../topics.ts';
import { kindIn } from '../wallet/networkKind.ts';
import { transfer } from '../wallet/transfer.ts';

export const WELCOME_NETWORK = 'base';
const WELCOME = houseAccount('hub:welcome');
const PLACE = { network: WELCOME_NETWORK, asset: ASSET } as const;
const PAID_EACH_RUN_MAX = 100;

/** A job that was accepted, or a trial that was passed, may be the last that the bonus needs. */
export function noteWelcome(db: Decider, hub: Hub, change: Change, at: Instant): void {
  const { task, money } = change;
  if (isTrial(task) && task.state === 'accepted') {
    const trial = db.find(TRIALS, task.id);
    const winner = change.attempts.find(({ id }) => id === task.accepted?.attemptId);
    assert(trial !== undefined && winner !== undefined, 'a trial is of the account that passed it');
    db.put(TRIALS, task.id, { ...trial, passedAt: at });
    lineUp(db, hub, { account: winner.worker, site: trial.site }, at);
    return;
  }
  const waiting = paidBy(money).flatMap((attempt) => {
    const before = db.find(BEFORE_WELCOME, attempt.worker);
    return before === undefined ? [] : [{ before, attempt }];
  });
  db.ask(waiting.flatMap(({ before, attempt }) => readsOfLine(before.account, { task, attempt })));
  for (const { before, attempt } of waiting) lineUp(db, hub, before, at, { task, attempt });
}

function readsOfLine(account: Account, own: OwnJob | undefined): readonly Need[] {
  const { requester: other, id: but = '' } = own?.task ?? {};
  return [
    need(WELCOME_GRANTS, account),
    need(OTHER_JOBS, { account, but }),
    ...(other === undefined ? [] : [need(LINKED, { one: account, other })]),
  ];
}

/** A task that this very transaction settles. */
interface OwnJob {
  readonly task: Task;
  readonly attempt: Attempt;
}

/** Puts an account that passed its trial in line once it has the jobs; there it stays. */
export function lineUp(
  db: Decider,
  hub: Hub,
  { account, site }: { readonly account: Account; readonly site: string },
  at: Instant,
  own?: OwnJob,
): void {
  const but = own?.task.id ?? '';
  db.ask(readsOfLine(account, own));
  if (db.find(WELCOME_GRANTS, account) !== undefined) return;
  const others = db.find(OTHER_JOBS, { account, but })?.count ?? 0;
  const jobs = others + (own !== undefined && isJob(db, hub, own) ? 1 : 0);
  if (jobs < WELCOME_JOBS) return;
  db.put(WELCOME_GRANTS, account, { account, site, queuedAt: at });
  db.publish(WELCOME_TOPIC);
}

/** Whether a task that this very transaction settles counts (`OTHER_JOBS` is for all others). */
function isJob(db: Decider, hub: Hub, { task, attempt }: OwnJob): boolean {
  const { worker, payee } = attempt;
  const { requester, reward, state } = task;
  const isDone = state === 'accepted' || state === 'paid';
  if (!isDone || payee !== worker || requester === worker || reward === undefined) return false;
  if (kindIn(db, hub, reward.network) !== 'test') return false;
  return db.find(LINKED, { one: worker, other: requester }) === undefined;
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

/** False when no account is to be paid now. */
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
