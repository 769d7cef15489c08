import { text } from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { parentIn } from '../batch/need.ts';
import { TASKS } from './taskRow.ts';
import { ATTEMPTS, TASK_EVENTS } from './taskTables.ts';

/** Rows of each kind that the page of a task shows: the newest when there are more. */
const SHOWN_MAX = 500;

const ofTask = {
  by: { taskId: text() },
  parent: parentIn(TASKS, (taskId: string) => taskId),
};

/** Oldest first. */
export const SHOWN_ATTEMPTS = list('shown_attempts', ATTEMPTS, {
  ...ofTask,
  where: ({ taskId }) => `t.id IN (SELECT id FROM attempts
    WHERE task_id = ${taskId} ORDER BY started_at DESC, id DESC LIMIT ${SHOWN_MAX})`,
  order: 't.started_at, t.id',
});

/** Oldest first. */
export const SHOWN_EVENTS = list('shown_events', TASK_EVENTS, {
  ...ofTask,
  where: ({ taskId }) => `t.task_id = ${taskId} AND t.seq > (
    SELECT events FROM tasks WHERE id = ${taskId}) - ${SHOWN_MAX}`,
  order: 't.seq',
});
