import type { Account } from '../../domain/account.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { liveAttemptsOf } from '../tasks/attempts.ts';
import { storedTask } from '../tasks/taskRow.ts';

/** Claims that an account is shown at once; how many it may hold is far below. */
const CLAIMS_LISTED_MAX = 100;

const CLAIMED = statement(`SELECT t.* FROM attempts a JOIN tasks t ON t.id = a.task_id
  WHERE a.worker = ? AND t.mode = 'exclusive' AND ((a.state = 'claimed' AND t.state = 'held')
    OR (a.state = 'waiting' AND t.state = 'delivered'))
  ORDER BY coalesce(a.lease_ends_at, ${Number.MAX_SAFE_INTEGER}), a.id LIMIT ${CLAIMS_LISTED_MAX}`);

/** Tasks of which an account has the lease or an undecided delivery, the soonest lapse first. */
export async function claimedTasks(db: Reader, worker: Account): Promise<readonly TaskAggregate[]> {
  const tasks = (await linkOf(db).rows(CLAIMED, [worker])).map((row) => storedTask(row).task);
  if (tasks.length === 0) return [];
  const ids = tasks.map(({ id }) => id);
  const live = await liveAttemptsOf(db, ids);
  return tasks.map((task) => ({ task, live: live.get(task.id) ?? [] }));
}
