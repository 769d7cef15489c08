import type { Found } from '../../domain/search/found.ts';
import type { TaskState } from '../../domain/task/model.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Dialect, type Reader } from '../connection.ts';
import { IN_LIST } from '../inList.ts';

const text = (dialect: Dialect): string => `
  SELECT t.id FROM tasks AS t WHERE t.state = ? AND t.id ${IN_LIST[dialect]}
  UNION ALL
  SELECT c.id FROM comments AS c JOIN tasks AS t ON t.id = c.task_id
   WHERE t.state = ? AND c.body IS NOT NULL AND c.id ${IN_LIST[dialect]}`;
const IN_STATE = statement(text('sqlite'), text('postgres'));

/** The tasks in this state, and what was said about such. */
export async function workInState(
  db: Reader,
  found: readonly Found[],
  state: TaskState,
): Promise<readonly Found[]> {
  const refs = found.map(({ ref }) => ref);
  const rows = await linkOf(db).rows(IN_STATE, [state, refs, state, refs]);
  const ids = new Set(rows.map((row) => column.text(row, 'id')));
  return found.filter(({ ref }) => ids.has(ref));
}
