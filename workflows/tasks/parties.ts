import type { Decider } from '../../db/batch/transaction.ts';
import { groupsIn } from '../../db/tasks/linkLookups.ts';
import type { Groups } from '../../domain/tasks/award.ts';
import type { Attempt, Task } from '../../domain/tasks/model.ts';

/** Which of the requester, these workers and their payees are one party (choices tasks.linked). */
export function groupsOfWork(
  db: Decider,
  { requester }: Task,
  attempts: readonly Attempt[],
): Groups {
  const parties = attempts.flatMap(({ worker, payee }) => [worker, payee]);
  return groupsIn(db, [...new Set([requester, ...parties])].sort());
}
