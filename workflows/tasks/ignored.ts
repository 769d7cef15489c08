import { ignoredBy } from '../../db/tasks/queue.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { IGNORED_FOR } from '../../domain/tasks/limits.ts';
import type { Task } from '../../domain/tasks/model.ts';

/** Deliveries that the requesters of tasks left undecided in the last 30 days. */
export function ignoredLately(
  db: Reader,
  tasks: readonly Pick<Task, 'requester'>[],
  now: Instant,
): Promise<ReadonlyMap<Account, number>> {
  const requesters = tasks.map(({ requester }) => requester);
  return ignoredBy(db, requesters, instant(now - IGNORED_FOR * 1_000));
}
