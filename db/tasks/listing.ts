import type { Account } from '../../domain/account.ts';
import type { Atomic } from '../../domain/money.ts';
import type { TaskMode, TaskState } from '../../domain/task/model.ts';
import type { Reader, Row } from '../connection.ts';
import { storedTask } from './taskRow.ts';
import type { StoredTask } from './taskRow.ts';

/** Pages of tasks, newest first: ids sort by time of making, so the id is the cursor. */
export interface TaskFilter {
  readonly state?: TaskState;
  readonly mode?: TaskMode;
  readonly skill?: string;
  readonly payment?: 'escrowed' | 'none';
  readonly minReward?: Atomic;
  readonly tag?: string;
  readonly requester?: Account;
  readonly network?: string;
  readonly before?: string;
}

export async function listTasks(
  db: Reader,
  filter: TaskFilter,
  limit: number,
): Promise<readonly StoredTask[]> {
  const { state, mode, requester, network, before, minReward, payment } = filter;
  let query = db.knex('tasks').select<Row[]>('tasks.*').orderBy('tasks.id', 'desc').limit(limit);
  if (state !== undefined) query = query.where('state', state);
  if (mode !== undefined) query = query.where('mode', mode);
  if (requester !== undefined) query = query.where('requester', requester);
  if (network !== undefined) query = query.where('network', network);
  if (before !== undefined) query = query.where('tasks.id', '<', before);
  // sqlite3 takes no bigint; the column makes a number of the text.
  if (minReward !== undefined) query = query.where('reward', '>=', `${minReward}`);
  if (payment === 'escrowed') query = query.whereNotNull('hold_id');
  if (payment === 'none') query = query.whereNull('hold_id');
  if (filter.tag !== undefined) {
    query = query.whereExists(labelled(db, 'tag', filter.tag.toLowerCase()));
  }
  if (filter.skill !== undefined) query = query.whereExists(labelled(db, 'skill', filter.skill));
  return (await query).map(storedTask);
}

function labelled(db: Reader, kind: 'tag' | 'skill', label: string) {
  return db
    .knex('task_labels')
    .select(db.knex.raw('1'))
    .whereRaw('task_labels.task_id = tasks.id')
    .where({ kind, label });
}
