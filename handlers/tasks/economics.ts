import { moneyOfTask } from '../../db/tasks/economics.ts';
import type { TaskMoney } from '../../db/tasks/economics.ts';
import { iso } from '../../domain/instant.ts';
import type { Task } from '../../domain/task/model.ts';
import { payPlan, promise } from '../../domain/task/plan.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/handler.ts';
import { readSettled } from './_due.ts';
import type { Loaded } from './_commit.ts';
import { presentNext, presentSplit } from './_present.ts';

type Economics = components['schemas']['TaskEconomics'];

/** Everything settled is read from the ledger; only the plan is computed. */
export const economics: Handler<'tasks.economics'> = async (call, hub) => {
  const loaded = await readSettled(hub, call.path.id);
  const money = await hub.store.read((db) => moneyOfTask(db, call.path.id));
  const { task } = loaded.play;
  const posted = money.find(({ kind, reason }) => kind === 'hold' && reason === 'task.escrow');
  const plan = task.accepted === undefined ? promise(task) : payPlan(task);
  return {
    status: 200,
    body: {
      taskId: task.id,
      state: task.state,
      ...(task.reward && { asset: task.reward.asset, network: task.reward.network }),
      posted: `${posted?.amount ?? 0n}`,
      ...held(loaded),
      settled: money.filter(({ kind }) => kind === 'paid').map(payment),
      ...refunded(money),
      feesBps: task.fees,
      ...(plan !== undefined && unsettled(task) && { plan: presentSplit(plan.reward, plan.split) }),
      next: presentNext(loaded.play, hub.clock.now()),
    },
  };
};

function held({ play, holdId }: Loaded): Pick<Economics, 'held'> {
  const { reward, state, accepted } = play.task;
  if (holdId === undefined || reward === undefined) return {};
  const waiting = state === 'accepted' || state === 'disputed';
  const until = accepted?.payoutAt;
  return {
    held: {
      kind: waiting ? 'payout' : 'task',
      amount: `${reward.amount}`,
      ...(waiting && until !== undefined && { until: iso(until) }),
    },
  };
}

function payment({ account, amount, reason, at, transferId }: TaskMoney): Economics['settled'][0] {
  return { to: account, amount: `${amount}`, why: reason, at: iso(at), transferId };
}

function refunded(money: readonly TaskMoney[]): Pick<Economics, 'refunded'> {
  const back = money.find(({ kind, reason }) => kind === 'release' && reason === 'task.refund');
  if (back === undefined) return {};
  const { amount, event, at, transferId } = back;
  return { refunded: { amount: `${amount}`, why: event, at: iso(at), transferId } };
}

function unsettled(task: Task): boolean {
  return ['open', 'held', 'delivered', 'accepted', 'disputed'].includes(task.state);
}
