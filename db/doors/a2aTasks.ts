import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';
import { SWEEP_ROWS_MAX } from '../sweep.ts';

/** Tasks of the A2A door. A task is shown to the account that signed for it, and to no other. */
export const A2A_TASKS = table(
  'a2a_tasks',
  {
    id: columns.text().key(),
    account: columns.account().fixed(),
    contextId: columns.text().fixed(),
    requestId: columns.text().fixed(),
    skill: columns.text().fixed(),
    state: columns.text(),
    /** When it came into this state. */
    at: columns.moment(),
    /** The answer or refusal, sealed; null while the call works. */
    content: columns.text().orNull(),
    /** The length of the answer before it was sealed. */
    characters: columns.integer(),
    /** The owner has been given the answer. */
    isRead: columns.flag(),
  },
  { use: 'single', personal: { apart: 'answers that calls got already, for an hour' } },
);
export type NewA2aTask = Omit<RowIn<typeof A2A_TASKS>, 'account'>;
export type A2aTaskRow = Omit<NewA2aTask, 'characters'>;

const SAVE = statement(`
  ${A2A_TASKS.insertion} ON CONFLICT (id) DO UPDATE SET ${A2A_TASKS.replacement}`);

export async function saveA2aTask(tx: Writer, account: Account, task: NewA2aTask): Promise<void> {
  await linkOf(tx).rows(SAVE, A2A_TASKS.cells({ ...task, account }));
}

const FIND = statement(`SELECT * FROM a2a_tasks WHERE id = ? AND account = ?`);

export async function a2aTaskOf(
  db: Reader,
  account: Account,
  id: string,
): Promise<A2aTaskRow | undefined> {
  const row = column.one(await linkOf(db).rows(FIND, [id, account]));
  return row && A2A_TASKS.fromRow(row);
}

const LIST = statement(`
  SELECT ${A2A_TASKS.columns
    .join(', ')
    .replace('content', "CASE WHEN state IN ('rejected', 'failed') THEN content END AS content")}
  FROM a2a_tasks WHERE account = ? ORDER BY at DESC, id DESC LIMIT ?`);

/** The tasks of an account with refusals and without results, the newest status first. */
export async function a2aTasksOf(
  db: Reader,
  account: Account,
  limit: number,
): Promise<readonly A2aTaskRow[]> {
  const rows = await linkOf(db).rows(LIST, [account, limit]);
  return rows.map(A2A_TASKS.fromRow);
}

const CONTENTS = inListStatement(
  (given) => `SELECT * FROM a2a_tasks WHERE id ${given} AND account = ?`,
);

export async function a2aTasksWithContent(
  db: Reader,
  account: Account,
  ids: readonly string[],
): Promise<ReadonlyMap<string, A2aTaskRow>> {
  const rows = await linkOf(db).rows(CONTENTS, [ids, account]);
  return new Map(rows.map(A2A_TASKS.fromRow).map((task) => [task.id, task]));
}

const UNREAD = statement(
  'SELECT count(*) AS unread FROM a2a_tasks WHERE account = ? AND is_read = 0 AND at >= ?',
);

/** How many tasks of an account since then work, or have an answer that was not read. */
export async function unreadA2aTasks(
  db: Reader,
  account: Account,
  since: Instant,
): Promise<number> {
  const row = column.one(await linkOf(db).rows(UNREAD, [account, since]));
  return Number(row?.['unread'] ?? 0);
}

const READ = inListStatement(
  (given) => `
  UPDATE a2a_tasks SET is_read = 1
  WHERE id ${given} AND account = ? AND is_read = 0 AND state <> 'working'`,
);

/** The owner has been given the answers of these tasks, of those that are at their end. */
export async function markA2aTasksRead(
  tx: Writer,
  account: Account,
  ids: readonly string[],
): Promise<void> {
  await linkOf(tx).rows(READ, [ids, account]);
}

const SIZES = statement(`
  SELECT id, characters, is_read FROM a2a_tasks WHERE account = ? ORDER BY at DESC, id DESC`);
const DROP = inListStatement((given) => `DELETE FROM a2a_tasks WHERE id ${given} AND account = ?`);

export interface A2aTaskLimits {
  readonly tasks: number;
  /** Characters of JSON of all answers of an account together. */
  readonly characters: number;
}

/** Drops the oldest tasks of an account over a limit, of those whose answer was read. */
export async function trimA2aTasks(
  tx: Writer,
  account: Account,
  limits: A2aTaskLimits,
): Promise<void> {
  const rows = await linkOf(tx).rows(SIZES, [account]);
  let [tasks, characters] = [0, 0];
  const over: string[] = [];
  // An answer that was not read is never dropped, so it is counted first.
  for (const isRead of [false, true]) {
    for (const row of rows.filter((each) => column.flag(each, 'is_read') === isRead)) {
      tasks += 1;
      characters += column.whole(row, 'characters');
      const isOver = tasks > limits.tasks || characters > limits.characters;
      if (isOver && isRead) over.push(column.text(row, 'id'));
    }
  }
  if (over.length > 0) await linkOf(tx).rows(DROP, [over, account]);
}

const SWEEP = statement(`
  DELETE FROM a2a_tasks WHERE id IN (
    SELECT id FROM a2a_tasks WHERE at < ? ORDER BY at LIMIT ${SWEEP_ROWS_MAX}) RETURNING 1 AS gone`);

/** The time after their last state for which tasks are found. */
export const A2A_TASK_KEPT_MS = 3_600_000;

/** Deletes tasks of before that, at most 10,000; returns how many. */
export async function sweepA2aTasks(tx: Writer, now: Instant): Promise<number> {
  return (await linkOf(tx).rows(SWEEP, [now - A2A_TASK_KEPT_MS])).length;
}
