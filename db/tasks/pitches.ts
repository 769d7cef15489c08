import type { Pitch } from '../../domain/tasks/model.ts';
import * as column from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { table } from '../batch/table.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { need } from '../batch/need.ts';
import { TASKS } from './taskTables.ts';

/** One per account and task; a new one takes the place of the old. */
export const PITCHES = table(
  'pitches',
  {
    taskId: column.text().key(),
    worker: column.account().key(),
    id: column.text(),
    plan: column.text(),
    price: column.amount().optional(),
    createdAt: column.moment(),
    lapsed: column.flag(),
  },
  { lock: 'none', parent: ({ taskId }: Pitch) => need(TASKS, taskId) },
);

/** The pitch of an id, or none. */
export const PITCH_NAMED = list('pitch_named', PITCHES, {
  by: { taskId: column.text(), id: column.text() },
  where: (key) => `t.task_id = ${key.taskId} AND t.id = ${key.id}`,
  order: 't.id',
  parent: ({ taskId }) => need(TASKS, taskId),
});

const PAGE = statement(`
  SELECT * FROM pitches WHERE task_id = ? AND id > ? ORDER BY id LIMIT ?`);

/** Ids sort by time of making, so the id is the cursor. */
export async function pitchesOfTask(
  db: Reader,
  taskId: string,
  after: string,
  limit: number,
): Promise<readonly Pitch[]> {
  return (await linkOf(db).rows(PAGE, [taskId, after, limit])).map(PITCHES.fromRow);
}
