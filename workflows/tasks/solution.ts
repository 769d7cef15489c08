import { attemptOfTask } from '../../db/tasks/attempts.ts';
import type { Reader } from '../../db/store.ts';
import type { SolutionRef } from '../../domain/task/decide.ts';

/** The solution that a request names, with what the task knows of it. */
export async function namedSolution(
  db: Reader,
  taskId: string,
  id: string | undefined,
): Promise<SolutionRef | undefined> {
  if (id === undefined) return undefined;
  const attempt = await attemptOfTask(db, taskId, id);
  return { id, ...(attempt && { attempt }) };
}
