import { caseOf, dueCases } from '../../db/validators/cases.ts';
import type { PanelCase } from '../../db/validators/cases.ts';
import { panelistsOf } from '../../db/validators/panelists.ts';
import { readRound, roundsOver } from '../../db/validators/rounds.ts';
import type { Writer } from '../../db/store.ts';
import { apart } from '../../server/hub/apart.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { lockSettled } from '../tasks/due.ts';
import { endCase } from '../validators/cases.ts';
import { endRound } from './decide.ts';
import { drawPanel } from '../validators/draw.ts';

const BATCH_MAX = 100;

/**
 * What the clock does to panels: ends rounds, draws for who is due, lets go of who waited enough.
 */
export async function movePanels(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const over = await hub.store.read((db) => roundsOver(db, now, BATCH_MAX));
  for (const { id, taskId } of over) {
    await move(hub, taskId, (tx) => endOver(tx, hub, taskId, id));
  }
  const due = await hub.store.read((db) => dueCases(db, now, BATCH_MAX));
  for (const each of due) await move(hub, each.taskId, (tx) => moveCase(tx, hub, each));
}

async function move(hub: Hub, task: string, work: (tx: Writer) => Promise<void>): Promise<void> {
  const named = { failure: 'a panel could not be moved on', task };
  await apart(hub, named, () => hub.store.write(work));
}

async function endOver(tx: Writer, hub: Hub, taskId: string, id: string): Promise<void> {
  const now = hub.clock.now();
  const loaded = await lockSettled(tx, hub, taskId);
  const round = await readRound(tx, id);
  if (round?.state !== 'open' || round.endsAt > now) return;
  await endRound(tx, hub, { loaded, round, panelists: await panelistsOf(tx, id) }, now);
}

async function moveCase(tx: Writer, hub: Hub, { taskId, attemptId }: PanelCase): Promise<void> {
  const now = hub.clock.now();
  const { aggregate } = await lockSettled(tx, hub, taskId);
  const waiting = await caseOf(tx, attemptId);
  if (waiting === undefined) return;
  if (waiting.endsAt <= now) {
    await endCase(tx, { id: attemptId, taskId }, now);
    return;
  }
  const attempt = aggregate.live.find(({ id }) => id === attemptId);
  if (attempt === undefined || waiting.state !== 'due' || waiting.dueAt > now) return;
  await drawPanel(tx, hub, { task: aggregate.task, attempt, waiting }, now);
}
