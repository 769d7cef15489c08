import type { Account } from '../../domain/account.ts';
import type { Pitch } from '../../domain/tasks/model.ts';
import * as column from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { table } from '../batch/table.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { parentIn } from '../batch/need.ts';
import { storedTask } from './taskRow.ts';
import type { StoredTask } from './taskRow.ts';
import { TASKS } from './taskRow.ts';

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
  {
    personal: { owner: 'worker', order: ['id'], stays: 'The requester chose by it.' },
    lock: 'none',
    parent: parentIn(TASKS, ({ taskId }: Pitch) => taskId),
  },
);

/** The authors of other pitches that one choice notifies, the newest pitches first. */
const RIVALS_MAX = 200;

/** The pitch of an id, if there is one, among the newest of its task. */
export const PITCH_NAMED = list('pitch_named', PITCHES, {
  by: { taskId: column.text(), id: column.text() },
  where: (key) => `t.task_id = ${key.taskId} AND (t.id = ${key.id} OR t.id IN (
    SELECT n.id FROM pitches n WHERE n.task_id = ${key.taskId} ORDER BY n.id DESC
     LIMIT ${RIVALS_MAX}))`,
  order: 't.id',
  parent: parentIn(TASKS, ({ taskId }: Pick<Pitch, 'taskId'>) => taskId),
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

const WON = statement(`
  SELECT t.* FROM tasks t
   WHERE t.chosen_worker = ? AND t.state = 'open' AND t.chosen_pitch < ?
   ORDER BY t.chosen_pitch DESC LIMIT ?`);

/** Open tasks that an account's pitches won, the newest pitch first. */
export async function tasksWonBy(
  db: Reader,
  { account, before = NEWEST, limit }: WonPlace,
): Promise<readonly StoredTask[]> {
  return (await linkOf(db).rows(WON, [account, before, limit])).map(storedTask);
}

/** Sorts after every id. */
const NEWEST = 'g';

interface WonPlace {
  readonly account: Account;
  /** The pitch behind which a page begins. */
  readonly before?: string | undefined;
  readonly limit: number;
}
