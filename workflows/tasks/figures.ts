import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { LINKED } from '../../db/tasks/linkLookups.ts';
import { WORKER_FIGURES } from '../../db/tasks/workerFigures.ts';
import { afterEnd, endsOf, labelsOf, NO_FIGURES } from '../../domain/tasks/figures.ts';
import type { TaskCommit } from './aggregate.ts';

/** Without `before` it may be any change that ends the work. */
type Ended = Pick<TaskCommit, 'change'> & Partial<Pick<TaskCommit, 'before'>>;

/** Adds the end of an attempt to the figures of its worker, which linked accounts cannot move. */
export function noteFigures(db: Decider, { before, change }: Ended): void {
  const { task } = change;
  const network = task.reward?.network;
  if (network === undefined) return;
  for (const end of endsOf(change, before?.aggregate.task)) {
    const { worker, requester } = end;
    if (worker === requester) continue;
    if (db.find(LINKED, { one: worker, other: requester }) !== undefined) continue;
    for (const label of labelsOf(task)) {
      const key = { worker, network, label };
      const row = db.find(WORKER_FIGURES, key);
      const known = row ?? NO_FIGURES;
      const next = afterEnd(known, end);
      if (next === known) continue;
      db.put(WORKER_FIGURES, key, { ...key, ...next, changes: (row?.changes ?? 0) + 1 });
    }
  }
}

export function readsOfFigures({ before, change }: Ended): readonly Need[] {
  const { task } = change;
  const network = task.reward?.network;
  if (network === undefined) return [];
  return endsOf(change, before?.aggregate.task).flatMap(({ worker, requester }) => [
    need(LINKED, { one: worker, other: requester }),
    ...labelsOf(task).map((label) => need(WORKER_FIGURES, { worker, network, label })),
  ]);
}
