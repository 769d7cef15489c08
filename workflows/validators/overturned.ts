import type { Writer } from '../../db/store.ts';
import { panelistsOf } from '../../db/validators/panelists.ts';
import { roundsOfTask } from '../../db/validators/rounds.ts';
import { lockSeats, saveSeat } from '../../db/validators/seats.ts';
import type { Task } from '../../domain/task/model.ts';

/**
 * A result that lost its dispute: whoever judged it good has that in its record (choices
 * validators.record).
 */
export async function noteOverturned(tx: Writer, task: Task): Promise<void> {
  if (task.verification !== 'validator') return;
  const rounds = await roundsOfTask(tx, task.id, ROUNDS_MAX);
  const deciding = rounds.find(
    ({ attemptId, verdict }) => attemptId === task.accepted?.attemptId && verdict === 'accepted',
  );
  if (deciding === undefined) return;
  const panelists = await panelistsOf(tx, deciding.id);
  const wrong = panelists.filter(({ verdict }) => verdict === 'accepted');
  const seats = await lockSeats(
    tx,
    wrong.map(({ account }) => account),
  );
  for (const seat of seats) {
    const record = { ...seat.record, overturned: seat.record.overturned + 1 };
    await saveSeat(tx, { ...seat, record });
  }
}

/** As many panels of a task as are looked at for who judged the result. */
const ROUNDS_MAX = 100;
