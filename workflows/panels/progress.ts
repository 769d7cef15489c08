import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import { dueCases, PANEL_CASES, type PanelCase } from '../../db/validators/cases.ts';
import { ROUNDS, roundsOver } from '../../db/validators/rounds.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import { settledTask } from '../tasks/due.ts';
import { endCase } from '../validators/cases.ts';
import { drawPanel } from '../validators/draw.ts';
import { endRound } from './decide.ts';

const BATCH_MAX = 100;

/** Moves panels by the clock: ends rounds, draws for results that are due, ends long waits. */
export async function movePanels(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const over = await hub.store.readOne((db) => roundsOver(db, now, BATCH_MAX));
  for (const { id, taskId } of over) await move(hub, taskId, (db) => endOver(db, hub, taskId, id));
  const due = await hub.store.readOne((db) => dueCases(db, now, BATCH_MAX));
  for (const each of due) await move(hub, each.taskId, (db) => moveCase(db, hub, each));
}

async function move(hub: Hub, task: string, decide: (db: Decider) => void): Promise<void> {
  const named = { failure: 'a panel could not be moved on', task };
  await apart(hub, named, () => hub.store.decide({ needs: [need(TASKS, task)], decide }));
}

function endOver(db: Decider, hub: Hub, taskId: string, id: string): void {
  const now = hub.clock.now();
  const known = settledTask(db, hub, taskId);
  const round = db.find(ROUNDS, id);
  if (round?.state !== 'open' || round.endsAt > now) return;
  endRound(db, hub, { known, round }, now);
}

function moveCase(db: Decider, hub: Hub, { taskId, attemptId }: PanelCase): void {
  const now = hub.clock.now();
  const { aggregate } = settledTask(db, hub, taskId);
  const waiting = db.find(PANEL_CASES, attemptId);
  if (waiting === undefined) return;
  if (waiting.endsAt <= now) return endCase(db, { id: attemptId, taskId }, now);
  const attempt = aggregate.live.find(({ id }) => id === attemptId);
  if (attempt === undefined || waiting.state !== 'due' || waiting.dueAt > now) return;
  drawPanel(db, hub, { task: aggregate.task, attempt, waiting }, now);
}
