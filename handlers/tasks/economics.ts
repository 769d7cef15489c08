import { moneyOfTask, type TaskMoney } from '../../db/tasks/economics.ts';
import type { Task } from '../../domain/tasks/model.ts';
import { earmarked, feesOf, payPlan, promise } from '../../domain/tasks/plan.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { readSettled } from '../../workflows/tasks/due.ts';
import type { KnownTask } from '../../db/tasks/taskRow.ts';
import { publicSplit } from './present/task.ts';
import { presentNext } from '../../workflows/tasks/nextActions.ts';

type Economics = Schemas['TaskEconomics'];

/** Everything settled is read from the ledger; only the plan is computed. */
export const economics: Handler<'tasks.economics'> = async (call, hub) => {
  const loaded = await readSettled(hub, call.path.id);
  const { task } = loaded.aggregate;
  const money = await hub.store.readOne((db) => moneyOfTask(db, call.path.id));
  const posted = money.find(({ kind, reason }) => kind === 'hold' && reason === 'task.escrow');
  const plan = task.accepted === undefined ? promise(task) : payPlan(task);
  // The parts of a divided reward are in the task's `shares`.
  const isPlanned = plan !== undefined && unsettled(task) && task.shares === undefined;
  return {
    status: 200,
    body: {
      taskId: task.id,
      state: task.state,
      ...(task.reward && { asset: task.reward.asset, network: task.reward.network }),
      posted: (task.chain ? task.reward : posted)?.amount ?? 0n,
      ...held(loaded),
      settled: money.filter(isShown).map(payment),
      ...refunded(money),
      ...keptForJudges(task),
      feesBps: feesOf(task),
      ...(isPlanned && { plan: publicSplit(plan.reward, plan.split) }),
      next: presentNext(loaded.aggregate, hub.clock.now()),
    },
  };
};

/** A worker's debt is between it and the hub, so every caller sees the reward before a loan. */
function isShown({ kind, reason }: TaskMoney): boolean {
  return kind === 'paid' && reason !== 'loan.repay' && reason !== 'loan.origination';
}

function held({ aggregate, holdId }: KnownTask): Pick<Economics, 'held'> {
  const { reward, state, accepted } = aggregate.task;
  if (holdId === undefined || reward === undefined) return {};
  const waiting = state === 'accepted' || state === 'disputed';
  const until = accepted?.payoutAt;
  return {
    held: {
      kind: waiting ? 'payout' : aggregate.task.chain ? 'chain' : 'task',
      amount: reward.amount,
      // A disputed payout waits for a ruling, not for its window.
      ...(state === 'accepted' && until !== undefined && { until }),
    },
  };
}

/** A rejecting panel earned its share, and the requester gets back what is left. */
function keptForJudges(task: Task): Pick<Economics, 'earmarked'> {
  const kept = unsettled(task) && task.accepted === undefined ? earmarked(task) : undefined;
  if (kept === undefined) return {};
  return { earmarked: { judges: kept.judges, ifRefunded: kept.ifRefunded } };
}

function payment({ account, amount, reason, at, transferId }: TaskMoney): Economics['settled'][0] {
  return { to: account, amount, why: reason, at, transferId };
}

const BACK: readonly string[] = ['task.refund', 'chain.refund'];

/** Returns all refunds, under the newest release: a lower price, then perhaps the end. */
function refunded(money: readonly TaskMoney[]): Pick<Economics, 'refunded'> {
  const back = money.filter((each) => each.kind === 'release' && BACK.includes(each.reason));
  const newest = back.at(-1);
  if (newest === undefined) return {};
  const { event, at, transferId } = newest;
  const amount = back.reduce((sum, each) => sum + each.amount, 0n);
  return { refunded: { amount, why: event, at, transferId } };
}

function unsettled(task: Task): boolean {
  return ['open', 'held', 'delivered', 'accepted', 'disputed'].includes(task.state);
}
