import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { PANELISTS_OF_ROUND } from '../../db/validators/panelists.ts';
import { ROUNDS_IN_FORCE } from '../../db/validators/rounds.ts';
import { SEATS } from '../../db/validators/seats.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Task } from '../../domain/tasks/model.ts';
import { measuredNext } from '../../domain/validators/measureTime.ts';

/**
 * Records an arbiter's ruling for the validators of the result: figures are due, and those who
 * accepted one that lost have it on record (choices validators.record).
 */
export function noteRuling(
  db: Decider,
  { id: taskId, verification, accepted, state }: Task,
  now: Instant,
): void {
  if (verification !== 'validator' || accepted === undefined) return;
  const rounds = db.list(ROUNDS_IN_FORCE, { taskId, attemptId: accepted.attemptId });
  const deciding = rounds.find(({ verdict }) => verdict === 'accepted');
  if (deciding === undefined) return;
  const voters = db.list(PANELISTS_OF_ROUND, deciding.id).filter((each) => each.verdict);
  db.ask(voters.map(({ account }) => need(SEATS, account)));
  for (const { account, verdict } of voters) {
    const seat = db.find(SEATS, account);
    if (seat === undefined) continue;
    const lost = state === 'refunded' && verdict === 'accepted' ? 1 : 0;
    const record = { ...seat.record, overturned: seat.record.overturned + lost };
    db.put(SEATS, account, { ...seat, record, measureAt: measuredNext(now) });
  }
}
