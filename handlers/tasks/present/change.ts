import type { Account } from '../../../domain/account.ts';
import type { Change } from '../../../domain/tasks/change.ts';
import type { Reward } from '../../../domain/tasks/model.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import type { PaidAward } from '../../../workflows/tasks/moneySteps.ts';
import type { Committed } from '../../../workflows/tasks/aggregate.ts';
import { paymentState, presentAttempt, presentMoney, publicSplit } from './task.ts';
import { presentNextFor } from '../../../workflows/tasks/nextActions.ts';
import { UNTRUSTED_TEXTS } from '../../untrusted.ts';

type TaskChange = Schemas['TaskChange'];

export function presentChange(
  committed: Committed,
  change: Change,
  { hub, by }: { readonly hub: Hub; readonly by: Account },
): Omit<TaskChange, 'repeated'> {
  const { aggregate, settlement: moved } = committed;
  const { task } = aggregate;
  const { reward } = task;
  return {
    taskId: task.id,
    state: task.state,
    paymentState: paymentState(task),
    attempts: change.attempts.map(presentAttempt),
    ...(reward && moved.split && { split: publicSplit(reward, moved.split) }),
    ...(reward && moved.awards && { awards: moved.awards.map((one) => presentPaid(reward, one)) }),
    ...(reward &&
      moved.refunded !== undefined && {
        refunded: presentMoney({ ...reward, amount: moved.refunded }),
      }),
    transferId: moved.transferId,
    next: presentNextFor(hub, aggregate, by),
    ...UNTRUSTED_TEXTS,
  };
}

function presentPaid(
  reward: Reward,
  { winner: { id, worker, place, shareBps, award }, split }: PaidAward,
): NonNullable<TaskChange['awards']>[number] {
  const part = publicSplit({ ...reward, amount: award }, split);
  return { place, solutionId: id, worker, bps: shareBps, split: part };
}
