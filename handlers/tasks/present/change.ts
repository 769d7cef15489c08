import type { Account } from '../../../domain/account.ts';
import { defined } from '../../../domain/defined.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { Change } from '../../../domain/tasks/change.ts';
import type { Reward } from '../../../domain/tasks/model.ts';
import type { components } from '../../../generated/types.ts';
import type { PaidAward } from '../../../workflows/tasks/moneySteps.ts';
import type { Committed } from '../../../workflows/tasks/aggregate.ts';
import { paymentState, presentAttempt, presentMoney, publicSplit } from './task.ts';
import { presentNext } from '../../../workflows/tasks/nextActions.ts';
import { UNTRUSTED_TEXTS } from '../../untrusted.ts';

type TaskChange = components['schemas']['TaskChange'];

export function presentChange(
  committed: Committed,
  change: Change,
  { now, by }: { readonly now: Instant; readonly by: Account },
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
    ...defined({ transferId: moved.transferId }),
    next: presentNext(aggregate, now, by),
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
