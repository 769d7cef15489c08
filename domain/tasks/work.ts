import type { Attempt, Task, TaskAggregate } from './model.ts';
import { undecided } from './model.ts';

/** An attempt or task has exactly one of these states for each party (choices tasks.overview). */
export type WorkState =
  'announced' | 'open' | 'claimed' | 'waiting' | 'accepted' | 'disputed' | 'closed';
export const WORK_ROLES = ['worker', 'requester', 'judge'] as const;
export type WorkRole = (typeof WORK_ROLES)[number];

export const STATES_OF: Readonly<Record<WorkRole, readonly WorkState[]>> = {
  worker: ['announced', 'open', 'claimed', 'waiting', 'accepted', 'disputed', 'closed'],
  requester: ['open', 'claimed', 'waiting', 'accepted', 'disputed', 'closed'],
  judge: ['waiting'],
};

/** An accepted result is over once it was paid for, and at once when nothing is. */
export function attemptWork(attempt: Pick<Attempt, 'state'>, task: Task): WorkState {
  switch (attempt.state) {
    case 'announced':
    case 'claimed':
    case 'waiting':
      return attempt.state;
    case 'accepted':
      return settling(task) ?? 'closed';
    case 'refused':
    case 'rejected':
    case 'failed':
    case 'lapsed':
    case 'superseded':
      return 'closed';
  }
}

/** An open task with an undecided result waits for its requester, though others may try. */
export function taskWork(aggregate: TaskAggregate): WorkState {
  const { task } = aggregate;
  switch (task.state) {
    case 'open':
      return undecided(aggregate).length > 0 ? 'waiting' : 'open';
    case 'held':
      return 'claimed';
    case 'delivered':
      return 'waiting';
    case 'accepted':
    case 'disputed':
    case 'paid':
    case 'refunded':
    case 'withdrawn':
    case 'expired':
      return settling(task) ?? 'closed';
  }
}

function settling({ state, reward }: Task): 'accepted' | 'disputed' | undefined {
  if (state === 'disputed') return 'disputed';
  return state === 'accepted' && reward !== undefined ? 'accepted' : undefined;
}
