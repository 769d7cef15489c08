import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { CASES_OF_TASK, PANEL_CASES, type PanelCase } from '../../db/validators/cases.ts';
import { PANELISTS, PANELISTS_OF_ROUND, type Panelist } from '../../db/validators/panelists.ts';
import { ROUNDS, ROUNDS_IN_FORCE, type Round } from '../../db/validators/rounds.ts';
import type { Instant } from '../../domain/instant.ts';
import { panelUntil } from '../../domain/tasks/decide.ts';
import type { Attempt, Task } from '../../domain/tasks/model.ts';
import { FRONT_MAX } from '../../domain/validators/panel.ts';
import type { Hub } from '../kernel/hub.ts';
import { PANELS_TOPIC } from '../topics.ts';
import { drawPanel } from './draw.ts';

interface Judged {
  readonly task: Task;
  readonly attempts: readonly Attempt[];
}

export function readsOfPanels({ task, attempts }: Judged): readonly Need[] {
  if (task.verification !== 'validator' || attempts.length === 0) return [];
  const of = attempts.flatMap(({ id: attemptId }) => [
    need(PANEL_CASES, attemptId),
    need(ROUNDS_IN_FORCE, { taskId: task.id, attemptId }),
  ]);
  return [need(CASES_OF_TASK, task.id), ...of];
}

/**
 * Keeps the cases of panels true to the attempts that a decision changes, in the decision's own
 * transaction: a result that waits is drawn for at once, one that is over has no panel any more.
 */
export function followPanels(
  db: Decider,
  hub: Hub,
  { task, attempts }: Judged,
  now: Instant,
): void {
  if (task.verification !== 'validator') return;
  const open = attempts.flatMap(
    ({ id }) => openRound(db, { taskId: task.id, attemptId: id }) ?? [],
  );
  db.ask(open.map(({ id }) => need(PANELISTS_OF_ROUND, id)));
  for (const attempt of attempts) {
    if (attempt.state === 'waiting') beginCase(db, hub, { task, attempt }, now);
    else if (attempt.deliveredAt !== undefined) endCase(db, attempt, now);
  }
}

function beginCase(
  db: Decider,
  hub: Hub,
  { task, attempt }: { readonly task: Task; readonly attempt: Attempt },
  now: Instant,
): void {
  const { id: attemptId } = attempt;
  if (db.find(PANEL_CASES, attemptId) === undefined) {
    const deliveredAt = attempt.deliveredAt ?? now;
    const times = { deliveredAt, endsAt: panelUntil(task, attempt), dueAt: deliveredAt };
    db.put(PANEL_CASES, attemptId, {
      attemptId,
      taskId: task.id,
      state: 'queued',
      rounds: 0,
      ...times,
    });
  }
  promote(db, task.id, now);
  const waiting = db.find(PANEL_CASES, attemptId);
  if (waiting?.state === 'due') drawPanel(db, hub, { task, attempt, waiting }, now);
}

/** Releases the panelists that did not answer; the next result in line has its turn. */
export function endCase(
  db: Decider,
  { id: attemptId, taskId }: Pick<Attempt, 'id' | 'taskId'>,
  now: Instant,
): void {
  const open = openRound(db, { taskId, attemptId });
  if (open !== undefined) {
    releasePanelists(db, open.id);
    db.put(ROUNDS, open.id, { ...open, state: 'cancelled', closedAt: now });
  }
  db.remove(PANEL_CASES, attemptId);
  if (promote(db, taskId, now)) db.publish(PANELS_TOPIC);
}

function openRound(
  db: Decider,
  of: { readonly taskId: string; readonly attemptId: string },
): Round | undefined {
  const known = [...db.list(ROUNDS_IN_FORCE, of), ...db.added(ROUNDS)];
  return known.find(({ attemptId, state }) => attemptId === of.attemptId && state === 'open');
}

/** Lets go of the panelists of a round that did not answer; returns the others. */
export function releasePanelists(db: Decider, roundId: string): readonly Panelist[] {
  const isWaiting = ({ state }: Panelist): boolean => state === 'due' || state === 'called';
  const panelists = panelistsOf(db, roundId);
  for (const panelist of panelists.filter(isWaiting)) {
    db.put(PANELISTS, panelist, { ...panelist, state: 'released' });
  }
  return panelists.filter((panelist) => !isWaiting(panelist));
}

/** In draw order. */
export function panelistsOf(db: Decider, roundId: string): readonly Panelist[] {
  const added = db.added(PANELISTS).filter((panelist) => panelist.roundId === roundId);
  return [...db.list(PANELISTS_OF_ROUND, roundId), ...added];
}

/**
 * Moves results into the places in front that are free; true when one became due. A result in front
 * keeps its place against one of the same moment, or of a clock that was set back.
 */
function promote(db: Decider, taskId: string, now: Instant): boolean {
  const cases = casesOf(db, taskId);
  const isQueued = ({ state }: PanelCase): boolean => state === 'queued';
  const free = FRONT_MAX - cases.filter((each) => !isQueued(each)).length;
  const next = cases.filter(isQueued).sort(byDelivery).slice(0, Math.max(0, free));
  for (const each of next) {
    db.put(PANEL_CASES, each.attemptId, { ...each, state: 'due', dueAt: now });
  }
  return next.length > 0;
}

function casesOf(db: Decider, taskId: string): readonly PanelCase[] {
  const added = db.added(PANEL_CASES).filter((each) => each.taskId === taskId);
  return [...db.list(CASES_OF_TASK, taskId), ...added];
}

function byDelivery(one: PanelCase, other: PanelCase): number {
  return one.deliveredAt - other.deliveredAt || (one.attemptId < other.attemptId ? -1 : 1);
}
