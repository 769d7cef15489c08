import type { Instant } from '../../domain/instant.ts';
import * as column from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { table, type RowIn } from '../batch/table.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { parentIn } from '../batch/need.ts';
import { TASKS } from '../tasks/taskRow.ts';
import { ATTEMPTS } from '../tasks/taskTables.ts';

/**
 * Results that wait for a panel. The first few of a task are in front, oldest first; the others are
 * queued. Every writer of a row locks its task first.
 */
export const PANEL_CASES = table(
  'panel_cases',
  {
    attemptId: column.text().key(),
    taskId: column.text().fixed(),
    /** `due` for a draw at `dueAt`, before a panel in `round`, or behind others. */
    state: column.oneOf(['queued', 'due', 'round']),
    /** Rounds drawn so far. */
    rounds: column.integer(),
    deliveredAt: column.moment().fixed(),
    /** When the requester may decide instead (choices validators.fallback). */
    endsAt: column.moment().fixed(),
    dueAt: column.moment(),
  },
  {
    personal: { apart: 'parts of attempts' },
    lock: 'none',
    removes: true,
    under: [ATTEMPTS],
    parent: parentIn(TASKS, ({ taskId }: { taskId: string }) => taskId),
  },
);
export type PanelCase = RowIn<typeof PANEL_CASES>;

/** All that wait on one task, which are never more than the attempts that are read with it. */
export const CASES_OF_TASK = list('cases_of_task', PANEL_CASES, {
  by: { taskId: column.text() },
  where: (key) => `t.task_id = ${key.taskId}`,
  order: 't.delivered_at, t.attempt_id',
  parent: parentIn(TASKS, (taskId: string) => taskId),
});

const DUE = statement(`
  SELECT * FROM panel_cases WHERE (state = 'due' AND due_at <= ?) OR ends_at <= ?
   ORDER BY due_at, delivered_at, attempt_id LIMIT ?`);

/** Cases to draw for, and those that are no panel's any more; the oldest result first. */
export async function dueCases(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly PanelCase[]> {
  return (await linkOf(db).rows(DUE, [now, now, limit])).map(PANEL_CASES.fromRow);
}
