import type { Instant } from '../../domain/instant.ts';
import { FRONT_MAX } from '../../domain/validator/panel.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';

/**
 * The table of results that wait for a panel. The first few of a task are in front, oldest first;
 * the others are queued. Whoever changes a row holds its task's row.
 */
export interface PanelCase {
  readonly attemptId: string;
  readonly taskId: string;
  /** `due` for a draw at `dueAt`, before a panel in `round`, or behind others. */
  readonly state: 'queued' | 'due' | 'round';
  /** Rounds drawn so far. */
  readonly rounds: number;
  readonly deliveredAt: Instant;
  /** When the requester may decide instead (choices validators.fallback). */
  readonly endsAt: Instant;
  readonly dueAt: Instant;
}

const OPEN = statement(`
  INSERT INTO panel_cases (attempt_id, task_id, state, rounds, delivered_at, ends_at, due_at)
  VALUES (?, ?, 'queued', 0, ?, ?, ?) ON CONFLICT (attempt_id) DO NOTHING`);
const CLOSE = statement('DELETE FROM panel_cases WHERE attempt_id = ?');
const PROMOTE = statement(`
  UPDATE panel_cases SET state = 'due', due_at = ? WHERE state = 'queued' AND attempt_id IN (
    SELECT attempt_id FROM panel_cases WHERE task_id = ?
     ORDER BY CASE state WHEN 'queued' THEN 1 ELSE 0 END, delivered_at, attempt_id
     LIMIT ${FRONT_MAX})
  RETURNING attempt_id`);

export async function openCase(
  tx: Writer,
  { attemptId, taskId, deliveredAt, endsAt }: Omit<PanelCase, 'state' | 'rounds' | 'dueAt'>,
): Promise<void> {
  await linkOf(tx).rows(OPEN, [attemptId, taskId, deliveredAt, endsAt, deliveredAt]);
}

export async function closeCase(tx: Writer, attemptId: string): Promise<void> {
  await linkOf(tx).rows(CLOSE, [attemptId]);
}

/**
 * Moves up who has a place in front now; answers the attempts that became due. Nobody in front
 * loses its place to a result of the same moment, or of a clock that was set back.
 */
export async function promote(
  tx: Writer,
  taskId: string,
  now: Instant,
): Promise<readonly string[]> {
  const rows = await linkOf(tx).rows(PROMOTE, [now, taskId]);
  return rows.map((row) => column.text(row, 'attempt_id'));
}

const BY_ATTEMPT = statement('SELECT * FROM panel_cases WHERE attempt_id = ?');

export async function caseOf(db: Reader, attemptId: string): Promise<PanelCase | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ATTEMPT, [attemptId]));
  return row && panelCase(row);
}

const SAVE = statement(
  'UPDATE panel_cases SET state = ?, rounds = ?, due_at = ? WHERE attempt_id = ?',
);

export async function saveCase(tx: Writer, each: PanelCase): Promise<void> {
  await linkOf(tx).rows(SAVE, [each.state, each.rounds, each.dueAt, each.attemptId]);
}

const DUE = statement(`
  SELECT * FROM panel_cases WHERE (state = 'due' AND due_at <= ?) OR ends_at <= ?
   ORDER BY due_at, delivered_at, attempt_id LIMIT ?`);

/** Cases to draw for, and those that are no panel's any more; the oldest result first. */
export async function dueCases(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly PanelCase[]> {
  return (await linkOf(db).rows(DUE, [now, now, limit])).map(panelCase);
}

function panelCase(row: Row): PanelCase {
  const state = column.text(row, 'state');
  return {
    attemptId: column.text(row, 'attempt_id'),
    taskId: column.text(row, 'task_id'),
    state: state === 'due' || state === 'round' ? state : 'queued',
    rounds: column.whole(row, 'rounds'),
    deliveredAt: column.time(row, 'delivered_at'),
    endsAt: column.time(row, 'ends_at'),
    dueAt: column.time(row, 'due_at'),
  };
}
