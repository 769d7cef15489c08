import { caseOf, closeCase, openCase, promote } from '../../db/validators/cases.ts';
import { releasePanelists } from '../../db/validators/panelists.ts';
import { closeRound, openRoundOf } from '../../db/validators/rounds.ts';
import type { Writer } from '../../db/store.ts';
import type { Instant } from '../../domain/instant.ts';
import { panelUntil } from '../../domain/task/decide.ts';
import type { Attempt, Task } from '../../domain/task/model.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { drawPanel } from './draw.ts';
import { PANELS_TOPIC } from '../topics.ts';

/**
 * Keeps the cases of panels true to the attempts that a decision changes, in the decision's own
 * transaction: a result that waits is drawn for at once, one that is over has no panel any more.
 */
export async function followPanels(
  tx: Writer,
  hub: Hub,
  changed: { readonly task: Task; readonly attempts: readonly Attempt[] },
  now: Instant,
): Promise<void> {
  const { task, attempts } = changed;
  if (task.verification !== 'validator') return;
  for (const attempt of attempts) {
    if (attempt.state === 'waiting') await beginCase(tx, hub, { task, attempt }, now);
    else if (attempt.deliveredAt !== undefined) await endCase(tx, attempt, now);
  }
}

async function beginCase(
  tx: Writer,
  hub: Hub,
  { task, attempt }: { readonly task: Task; readonly attempt: Attempt },
  now: Instant,
): Promise<void> {
  await openCase(tx, {
    attemptId: attempt.id,
    taskId: task.id,
    deliveredAt: attempt.deliveredAt ?? now,
    endsAt: panelUntil(task, attempt),
  });
  await promote(tx, task.id, now);
  const waiting = await caseOf(tx, attempt.id);
  if (waiting?.state === 'due') await drawPanel(tx, hub, { task, attempt, waiting }, now);
}

/** Who was not heard is let go; the next result in line has its turn. */
export async function endCase(
  tx: Writer,
  { id, taskId }: Pick<Attempt, 'id' | 'taskId'>,
  now: Instant,
): Promise<void> {
  const open = await openRoundOf(tx, id);
  if (open !== undefined) {
    await releasePanelists(tx, open.id);
    await closeRound(tx, open.id, { state: 'cancelled' }, now);
  }
  await closeCase(tx, id);
  if ((await promote(tx, taskId, now)).length > 0) tx.publish(PANELS_TOPIC);
}
