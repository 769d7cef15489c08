import { strict as assert } from 'node:assert';
import { distinctWorkersOf } from '../../db/chains/workers.ts';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { standing } from '../../db/karma/entries.ts';
import type { Reader } from '../../db/store.ts';
import { historiesOf, liveClaims, worksElsewhere } from '../../db/tasks/attempts.ts';
import { ATTEMPT_NAMED } from '../../db/tasks/taskTables.ts';
import { LINKED, OF_REQUESTER } from '../../db/tasks/linkLookups.ts';
import { partyOf } from '../../db/tasks/links.ts';
import { hadStarter } from '../../db/tasks/starterGrants.ts';
import {
  CLAIMANTS,
  HISTORIES,
  HISTORIES_ON_CLAIMABLE,
  STARTER_USE,
  type KnownHistory,
} from '../../db/tasks/workerLookups.ts';
import { parseAccount, type Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { isStarter, STARTER_ACCOUNT, type Attempt, type Task } from '../../domain/tasks/model.ts';
import { NO_HISTORY, type Worker } from '../../domain/tasks/worker.ts';
import type { Signer } from '../kernel/call.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { chainOf, workersElsewhere } from '../chains/follow.ts';
import { mayBeSpendable, receiving } from '../wallet/receiver.ts';

/** The signer as a worker: who acts, who is paid. */
export interface Actor {
  readonly account: Account;
  readonly payee: Account;
}

/** Karma, loans and refusals stay with the signer, for any payee (choices tasks.linked). */
export function actor(
  caller: Signer,
  named: { readonly agentId?: string; readonly payee?: Account } | undefined,
): Actor {
  const agentId = named?.agentId;
  if (agentId !== undefined && parseAccount(agentId) !== caller.account) {
    refuse('wrong-owner', {
      error: `You signed as ${caller.account}, and agentId names ${agentId}.`,
      field: 'body.agentId',
    });
  }
  return { account: caller.account, payee: named?.payee ?? caller.account };
}

/** Money must not wait for a payee that no key signs for: it could never be spent. */
export function reachingPayee(
  hub: Hub,
  { account, payee }: Actor,
): { readonly needs: readonly Need[]; readonly mustReach: (db: Decider) => void } {
  if (payee === account) return { needs: [], mustReach: () => undefined };
  const { needs, mustBeSpendable: mustReach } = receiving(hub, payee, 'body.payee');
  return { needs, mustReach };
}

/** The same question before there is work to be paid for; a payee is not held to its answer yet. */
export async function mayReachPayee(hub: Hub, { account, payee }: Actor): Promise<void> {
  if (payee === account) return;
  await hub.store.read((db) => mayBeSpendable(hub, db, payee, 'body.payee'));
}

/** Whom the worker is one party with, for a fixed number of questions. */
interface Parties {
  readonly own: ReadonlySet<Account>;
  /** The parties of its payee as well: no account is paid by itself, on either side. */
  readonly paid: ReadonlySet<Account>;
}

async function partiesOf(db: Reader, { account, payee }: Actor): Promise<Parties> {
  const own = await partyOf(db, account);
  const more = payee === account ? [] : await partyOf(db, payee);
  return { own: new Set(own), paid: new Set([...own, ...more]) };
}

/** How the task that a worker acts on is read. */
export interface WorkedOn {
  readonly taskId: string;
  /** The requester of a task that the queue offers, which may be published in the same batch. */
  readonly offeredBy?: Account;
}

function historiesOn({ offeredBy }: WorkedOn): typeof HISTORIES {
  return offeredBy === undefined ? HISTORIES : HISTORIES_ON_CLAIMABLE;
}

export function readsOfWorker(who: Actor, on: WorkedOn): readonly Need[] {
  const { taskId, offeredBy } = on;
  const { account } = who;
  const parties = accountsOf(who).flatMap((one) => {
    if (offeredBy === undefined) return [need(OF_REQUESTER, { account: one, taskId })];
    return one === offeredBy ? [] : [need(LINKED, { one, other: offeredBy })];
  });
  return [need(CLAIMANTS, account), need(historiesOn(on), { account, taskId }), ...parties];
}

/** Returns the worker on a task as the transaction found it; what it ended itself still counts. */
export function workerIn(db: Decider, who: Actor, task: Task, on: WorkedOn): WorkerIn {
  const { taskId, offeredBy } = on;
  const { account } = who;
  const claimant = db.find(CLAIMANTS, account);
  assert(claimant !== undefined, 'each account may claim');
  const history = db.find(historiesOn(on), { account, taskId });
  const isOfRequester = (one: Account): boolean =>
    offeredBy === undefined
      ? db.find(OF_REQUESTER, { account: one, taskId }) !== undefined
      : one === offeredBy || db.find(LINKED, { one, other: offeredBy }) !== undefined;
  const { announcedId, ...counts } = history ?? NO_HISTORY_HERE;
  const [announced] =
    announcedId === undefined ? [] : db.list(ATTEMPT_NAMED, { taskId, id: announcedId });
  return {
    worker: {
      ...who,
      linkedToRequester: accountsOf(who).some(isOfRequester),
      karma: claimant.karma,
      liveClaims: claimant.liveClaims,
      history: counts,
      starter: isStarter(task) ? starterIn(db, account, task) : 'never',
      didAnotherStep: didAnotherStep(db, account, task),
    },
    ...defined({ announced: announced?.attempt }),
  };
}

export interface WorkerIn {
  readonly worker: Worker;
  /** By which the worker said that it works on the task. */
  readonly announced?: Attempt;
}
const NO_HISTORY_HERE: KnownHistory = NO_HISTORY;

function accountsOf({ account, payee }: Actor): readonly Account[] {
  return [...new Set([account, payee])];
}

function starterIn(db: Decider, account: Account, { id }: Task): Worker['starter'] {
  const { wasPaid = false, holds = id } = db.find(STARTER_USE, account) ?? {};
  if (wasPaid) return 'used';
  return holds === id ? 'never' : 'holds-one';
}

/** The same rule as `otherSteps` has for readers. */
function didAnotherStep(db: Decider, account: Account, task: Task): boolean {
  if (chainOf(db, task)?.chain.distinctWorkers !== true) return false;
  const others = workersElsewhere(db, task).map(({ worker }) => worker);
  if (others.includes(account)) return true;
  const pairs = others.map((other) => ({ one: account, other }));
  db.ask(pairs.map((pair) => need(LINKED, pair)));
  return pairs.some((pair) => db.find(LINKED, pair) !== undefined);
}

/** Whether the account, or one linked to it, was accepted on another step of a task's chain. */
async function otherSteps(
  db: Reader,
  { own }: Parties,
  tasks: readonly Task[],
): Promise<(task: Task) => boolean> {
  const chains = new Set(tasks.flatMap(({ chain }) => (chain === undefined ? [] : [chain.id])));
  if (chains.size === 0) return () => false;
  const workers = await distinctWorkersOf(db, [...chains]);
  return ({ chain }) =>
    chain !== undefined && (workers.get(chain.id) ?? []).some((worker) => own.has(worker));
}

async function starterOf(db: Reader, account: Account, taskId: string): Promise<Worker['starter']> {
  if (await hadStarter(db, account)) return 'used';
  const other = { id: taskId, requester: STARTER_ACCOUNT, tag: 'starter' };
  return (await worksElsewhere(db, account, other)) ? 'holds-one' : 'never';
}

/** The inputs of the number of leases that an account may hold. */
export type Standing = Pick<Worker, 'liveClaims' | 'karma'>;

export async function standingOf(db: Reader, account: Account): Promise<Standing> {
  const { total: karma } = await standing(db, account);
  return { liveClaims: await liveClaims(db, account), karma };
}

/** The same worker on each of a page of tasks, for a fixed number of questions. */
export async function workerOnEach(
  db: Reader,
  who: Actor,
  standing: Standing,
  tasks: readonly Task[],
): Promise<(task: Task) => Worker> {
  const ids = tasks.map((task) => task.id);
  const histories = await historiesOf(db, who.account, ids);
  const starter = tasks.some(isStarter) ? await starterOf(db, who.account, '') : 'never';
  const parties = await partiesOf(db, who);
  const didAnotherStep = await otherSteps(db, parties, tasks);
  return (task) => ({
    ...who,
    linkedToRequester: parties.paid.has(task.requester),
    ...standing,
    history: histories.get(task.id) ?? NO_HISTORY,
    starter: isStarter(task) ? starter : 'never',
    didAnotherStep: didAnotherStep(task),
  });
}
