import type { Decider } from '../../db/batch/transaction.ts';
import { DISPUTES } from '../../db/tasks/disputes.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import { refuse } from '../kernel/errors.ts';

/** The task with its dispute, also when that is over. */
export function withDispute(db: Decider, aggregate: TaskAggregate): TaskAggregate {
  if (aggregate.dispute !== undefined) return aggregate;
  const stored = db.find(DISPUTES, aggregate.task.id);
  return stored === undefined ? aggregate : { ...aggregate, dispute: stored.dispute };
}

export function noSuchDispute(): never {
  return refuse('not-found', {
    error: 'There is no dispute on this task.',
    hint: 'GET /api/v1/tasks/{id} shows where the task stands and who may dispute it.',
  });
}
