import type { Attempt, Task } from '../../../domain/tasks/model.ts';
import { partPlan } from '../../../domain/tasks/plan.ts';
import { atDeadlineOf, partsOf } from '../../../domain/tasks/shares.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

/** A divided reward, and what the silence of the requester does; nothing on other work. */
export function presentShares(task: Task): Pick<Schemas['Task'], 'shares' | 'atDeadline'> {
  const { shares, reward } = task;
  const says = atDeadlineOf(task);
  if (shares === undefined || reward === undefined || says === undefined) return {};
  const { places, undecided } = shares;
  const amounts = partsOf(reward.amount, places ?? []);
  return {
    shares: {
      ...(places === undefined
        ? { split: true as const }
        : {
            places: amounts.map((amount, nth) => ({
              place: nth + 1,
              bps: places[nth] ?? 0,
              amount,
              worker: partPlan(task, amount).worker,
            })),
          }),
      undecided,
    },
    atDeadline: { undecided: undecided === 'divide' ? 'divided' : 'returned', says },
  };
}

export function presentAward({
  place,
  shareBps,
  award,
}: Attempt): Pick<Schemas['Attempt'], 'award'> {
  if (place === undefined || shareBps === undefined || award === undefined) return {};
  return { award: { place, bps: shareBps, amount: award } };
}
