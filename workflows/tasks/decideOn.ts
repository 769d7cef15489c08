import { need, type Need } from '../../db/batch/need.ts';
import type { Decider, Transaction } from '../../db/batch/transaction.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Change, Refused } from '../../domain/tasks/change.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Committed } from './aggregate.ts';
import { commitChange } from './commit.ts';
import { settledTask } from './due.ts';
import { orRefuse } from './refuse.ts';

export interface DecidedOn<C extends Change> {
  readonly committed: Committed;
  readonly change: C;
  readonly now: Instant;
}

/** Who decides on which task, and what has to be known for it beside the task. */
export interface Deciding<C extends Change> {
  readonly id: string;
  readonly by: Account;
  readonly needs?: readonly Need[];
  /** The task has everything that the clock decided; `db` looks up what is missing. */
  readonly decide: (aggregate: TaskAggregate, now: Instant, db: Decider) => C | Refused;
}

/** The transaction in which a party decides on a task; `answer` presents the outcome. */
export function decideOn<C extends Change, Answer>(
  hub: Hub,
  { id, by, needs = [], decide }: Deciding<C>,
  answer: (done: DecidedOn<C>) => Answer,
): Pick<Transaction<Answer>, 'needs' | 'decide'> {
  return {
    needs: [need(TASKS, id), ...needs],
    decide(db) {
      const known = settledTask(db, hub, id);
      const { aggregate } = known;
      const now = hub.clock.now();
      const change = orRefuse(decide(aggregate, now, db), { hub, aggregate, by });
      const committed = commitChange(db, hub, known, change, { actor: by, at: now });
      return answer({ committed, change, now });
    },
  };
}
