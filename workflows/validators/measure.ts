import { judgedDraws } from '../../db/validators/judgedDraws.ts';
import { saveJudgeRecord, seatsToMeasure } from '../../db/validators/judgeRecords.ts';
import { figuresOf } from '../../domain/validators/measures.ts';
import type { ValidatorSeat } from '../../domain/validators/seat.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';

/** Seats of one run; a run that found as many is followed by another at once. */
const BATCH = 20;

/** Computes the figures of judges whose draws or rulings changed since the last full hour. */
export async function measureJudges(hub: Hub): Promise<void | number> {
  const due = await hub.store.read((db) => seatsToMeasure(db, hub.clock.now(), BATCH));
  let done = 0;
  for (const seat of due) {
    const named = { failure: 'a judge could not be measured', account: seat.account };
    if (await apart(hub, named, () => measure(hub, seat))) done += 1;
  }
  return due.length === BATCH && done > 0 ? 0 : undefined;
}

async function measure(hub: Hub, seat: ValidatorSeat): Promise<void> {
  const at = hub.clock.now();
  const { newest, total } = await hub.store.read((db) => judgedDraws(db, seat.account));
  const figures = figuresOf(newest, total);
  await hub.store.write((tx) => saveJudgeRecord(tx, seat, { figures, at }));
}
