import type { Found } from '../../domain/search/found.ts';
import type { TaskState } from '../../domain/tasks/model.ts';
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

const authors = (dialect: Dialect): string => `
  SELECT t.id, t.requester AS account FROM tasks AS t WHERE t.id ${IN_LIST[dialect]}
  UNION ALL
  SELECT c.id, c.author FROM comments AS c WHERE c.id ${IN_LIST[dialect]}`;
const AUTHORS = statement(authors('sqlite'), authors('postgres'));

/** Returns the accounts that wrote the tasks and comments among what was found, by their ids. */
export async function authorsOf(
  db: Reader,
  found: readonly Found[],
): Promise<ReadonlyMap<string, string>> {
  const refs = found.filter(isWork).map(({ ref }) => ref);
  const rows = await linkOf(db).rows(AUTHORS, [refs, refs]);
  return new Map(rows.map((row) => [column.text(row, 'id'), column.text(row, 'account')]));
}

/** Returns whether it is a task or a comment, which an account writes for nothing. */
export function isWork({ kind }: Pick<Found, 'kind'>): boolean {
  return kind === 'task' || kind === 'comment';
}
