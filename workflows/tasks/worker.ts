import { distinctWorkersOf } from '../../db/chains/workers.ts';
import type { Need } from '../../db/declared/table.ts';
import type { Decider } from '../../db/declared/unit.ts';
import { standing } from '../../db/karma/entries.ts';
import { historiesOf, liveClaims, worksElsewhere } from '../../db/tasks/attempts.ts';
import { partyOf } from '../../db/tasks/links.ts';
import { hadStarter } from '../../db/tasks/starterGrants.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { parseAccount, type Account } from '../../domain/account.ts';
import { isStarter, STARTER_ACCOUNT, type Task } from '../../domain/task/model.ts';
import { NO_HISTORY, type Worker } from '../../domain/task/worker.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Signer } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { mayBeSpendable, mustBeSpendable, receiving } from '../wallet/receiver.ts';

/** The signer as a worker: who acts, who is paid. */
export interface Actor {
  readonly account: Account;
  readonly payee: Account;
}

/** Karma, loans and refusals stay with the signer, whoever is paid (choices tasks.linked). */
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

/** Money must not wait for a payee that nobody signs for: it could never be spent. */
export async function mustReachPayee(
  hub: Hub,
  tx: Writer,
  { account, payee }: Actor,
): Promise<void> {
  if (payee !== account) await mustBeSpendable(hub, tx, payee, 'body.payee');
}

/** The same for a declared unit. */
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
  /** That of whom it names as payee as well: nobody is paid by itself, on either side. */
  readonly paid: ReadonlySet<Account>;
}

async function partiesOf(db: Reader, { account, payee }: Actor): Promise<Parties> {
  const own = await partyOf(db, account);
  const more = payee === account ? [] : await partyOf(db, payee);
  return { own: new Set(own), paid: new Set([...own, ...more]) };
}

export async function workerOn(db: Reader, who: Actor, task: Task): Promise<Worker> {
  const histories = await historiesOf(db, who.account, [task.id]);
  const parties = await partiesOf(db, who);
  return {
    ...who,
    linkedToRequester: parties.paid.has(task.requester),
    ...(await standingOf(db, who.account)),
    history: histories.get(task.id) ?? NO_HISTORY,
    starter: isStarter(task) ? await starterOf(db, who.account, task.id) : 'never',
    didAnotherStep: (await otherSteps(db, parties, [task]))(task),
  };
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

/** What decides how many leases an account may hold. */
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
