import type { Account } from '../../domain/account.ts';
import type { PitchStep } from '../../domain/task/change.ts';
import type { Pitch } from '../../domain/task/model.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';

/** The table of pitches: one per account and task, and a new one takes the place of the old. */
const FACTS = 'id, task_id, worker, plan, price, created_at, lapsed';

const OFFER = statement(`
  INSERT INTO pitches (${FACTS}) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (task_id, worker) DO UPDATE SET id = excluded.id, plan = excluded.plan,
    price = excluded.price, created_at = excluded.created_at, lapsed = excluded.lapsed`);
const LAPSE = statement('UPDATE pitches SET lapsed = 1 WHERE id = ?');

export async function savePitch(tx: Writer, step: PitchStep): Promise<void> {
  if ('lapsedId' in step) {
    await linkOf(tx).rows(LAPSE, [step.lapsedId]);
    return;
  }
  const { id, taskId, worker, plan, price, createdAt, lapsed } = step.offered;
  const asked = price === undefined ? null : price.toString();
  await linkOf(tx).rows(OFFER, [id, taskId, worker, plan, asked, createdAt, lapsed ? 1 : 0]);
}

const BY_ID = statement(`SELECT ${FACTS} FROM pitches WHERE task_id = ? AND id = ?`);

export async function pitchOfTask(
  db: Reader,
  taskId: string,
  id: string,
): Promise<Pitch | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [taskId, id]));
  return row && pitchOf(row);
}

const BY_WORKER = statement(`SELECT ${FACTS} FROM pitches WHERE task_id = ? AND worker = ?`);

export async function pitchBy(
  db: Reader,
  taskId: string,
  worker: Account,
): Promise<Pitch | undefined> {
  const row = column.one(await linkOf(db).rows(BY_WORKER, [taskId, worker]));
  return row && pitchOf(row);
}

const PAGE = statement(`
  SELECT ${FACTS} FROM pitches WHERE task_id = ? AND id > ? ORDER BY id LIMIT ?`);

/** Ids sort by time of making, so the id is the cursor. */
export async function pitchesOfTask(
  db: Reader,
  taskId: string,
  after: string,
  limit: number,
): Promise<readonly Pitch[]> {
  return (await linkOf(db).rows(PAGE, [taskId, after, limit])).map(pitchOf);
}

function pitchOf(row: Row): Pitch {
  const price = column.amountOrNull(row, 'price');
  return {
    id: column.text(row, 'id'),
    taskId: column.text(row, 'task_id'),
    worker: column.account(row, 'worker'),
    plan: column.text(row, 'plan'),
    ...(price !== null && { price }),
    createdAt: column.time(row, 'created_at'),
    lapsed: column.flag(row, 'lapsed'),
  };
}
