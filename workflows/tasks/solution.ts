import type { Decider } from '../../db/batch/transaction.ts';
import { ATTEMPT_NAMED } from '../../db/tasks/taskTables.ts';
import type { SolutionRef } from '../../domain/tasks/decide.ts';

/** The solution that a request names, with what the task knows of it. */
export function namedSolution(
  db: Decider,
  taskId: string,
  id: string | undefined,
): SolutionRef | undefined {
  if (id === undefined) return undefined;
  const [found] = db.list(ATTEMPT_NAMED, { taskId, id });
  return { id, ...(found && { attempt: found.attempt }) };
}
