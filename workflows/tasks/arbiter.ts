import type { Decider } from '../../db/batch/transaction.ts';
import { eligibleSeats } from '../../db/validators/pool.ts';
import { drawSeed } from '../../domain/draw.ts';
import { seconds, type Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/tasks/change.ts';
import { nextDraw, redraw, type Drawn } from '../../domain/tasks/dispute.ts';
import { acceptedAttempt, type TaskAggregate } from '../../domain/tasks/model.ts';
import { poolSeat } from '../../domain/validators/panel.ts';
import { drawAmong, sealedRandom } from '../validators/draw.ts';

/** No draw is possible before the first pulse; it comes within two minutes of the first start. */
const PULSE_AGAIN = seconds(1);

/** Draws the next arbiter; without a free seat it tries again later (choices disputes.arbiter). */
export function drawArbiter(
  db: Decider,
  aggregate: TaskAggregate,
  now: Instant,
): Change | undefined {
  const sealed = sealedRandom(db);
  if (sealed === undefined) return redraw(aggregate, undefined, now, PULSE_AGAIN);
  return redraw(aggregate, drawOne(db, aggregate, sealed), now);
}

function drawOne(
  db: Decider,
  { task, live, dispute }: TaskAggregate,
  { random, pulseSeq }: { readonly random: string; readonly pulseSeq: number },
): Drawn | undefined {
  const attempt = acceptedAttempt({ task, live });
  if (dispute === undefined || attempt === undefined) return undefined;
  if (task.reward === undefined) return undefined;
  const late = dispute.draws.map(({ arbiter }) => arbiter);
  const eligible = eligibleSeats(db, {
    network: task.reward.network,
    reward: task.reward.amount,
    requiredSkills: task.requiredSkills,
    parties: [task.requester, attempt.worker, attempt.payee, ...task.judges, ...late],
  });
  const [taskId, attemptId, round] = [task.id, attempt.id, nextDraw(dispute)];
  const seed = drawSeed('arbiter', { random, taskId, attemptId, round });
  const one = drawAmong(db, seed, eligible, (seats) => ({ size: 1, pool: seats.map(poolSeat) }));
  const [first] = one?.drawn ?? [];
  if (one === undefined || first === undefined) return undefined;
  const { account: arbiter } = first;
  return { arbiter, pulseSeq, seed: Buffer.from(seed).toString('hex'), pool: one.pool };
}
