import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { PANELISTS_OF_ROUND } from '../../db/validators/panelists.ts';
import { ROUNDS_IN_FORCE } from '../../db/validators/rounds.ts';
import { SEATS } from '../../db/validators/seats.ts';
import type { Task } from '../../domain/tasks/model.ts';

/**
 * Records a result that lost its dispute for the validators that judged it good (choices
 * validators.record).
 */
export function noteOverturned(db: Decider, { id: taskId, verification, accepted }: Task): void {
  if (verification !== 'validator' || accepted === undefined) return;
  const rounds = db.list(ROUNDS_IN_FORCE, { taskId, attemptId: accepted.attemptId });
  const deciding = rounds.find(({ verdict }) => verdict === 'accepted');
  if (deciding === undefined) return;
  const panelists = db.list(PANELISTS_OF_ROUND, deciding.id);
  const wrong = panelists.filter(({ verdict }) => verdict === 'accepted');
  db.ask(wrong.map(({ account }) => need(SEATS, account)));
  for (const { account } of wrong) {
    const seat = db.find(SEATS, account);
    if (seat === undefined) continue;
    const record = { ...seat.record, overturned: seat.record.overturned + 1 };
    db.put(SEATS, account, { ...seat, record });
  }
}
