import { eligibleSeats } from '../../db/validators/seats.ts';
import type { Writer } from '../../db/store.ts';
import { drawOrder, drawSeed } from '../../domain/draw.ts';
import { seconds, type Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/task/change.ts';
import { nextDraw, redraw, type Drawn } from '../../domain/task/dispute.ts';
import { acceptedAttempt, type TaskAggregate } from '../../domain/task/model.ts';
import { poolSeat } from '../../domain/validator/panel.ts';
import { sealedRandom, stillThere } from '../validators/draw.ts';

/**
 * A seat may change between the look at all and the lock on the drawn; then the draw is made anew.
 */
const DRAWS_MAX = 3;
/** No draw is possible before the first pulse; it comes within two minutes of the first start. */
const PULSE_AGAIN = seconds(1);
/**
 * Draws who decides a dispute from now on; without anybody it is tried again (choices
 * disputes.arbiter).
 */
export async function drawArbiter(
  tx: Writer,
  aggregate: TaskAggregate,
  now: Instant,
): Promise<Change | undefined> {
  const sealed = await sealedRandom(tx);
  if (sealed === undefined) return redraw(aggregate, undefined, now, PULSE_AGAIN);
  for (let made = 0; made < DRAWS_MAX; made += 1) {
    const drawn = await drawOnce(tx, aggregate, sealed);
    if (drawn !== 'changed') return redraw(aggregate, drawn, now);
  }
  return redraw(aggregate, undefined, now);
}

/** Undefined when nobody may be drawn. */
async function drawOnce(
  tx: Writer,
  { task, live, dispute }: TaskAggregate,
  { random, pulseSeq }: { readonly random: string; readonly pulseSeq: number },
): Promise<Drawn | undefined | 'changed'> {
  const attempt = acceptedAttempt({ task, live });
  if (dispute === undefined || attempt === undefined) return undefined;
  if (task.reward === undefined) return undefined;
  const late = dispute.draws.map(({ arbiter }) => arbiter);
  const eligible = await eligibleSeats(tx, {
    network: task.reward.network,
    reward: task.reward.amount,
    requiredSkills: task.requiredSkills,
    parties: [task.requester, attempt.worker, attempt.payee, ...task.judges, ...late],
  });
  const pool = eligible.map(poolSeat);
  const [taskId, attemptId, round] = [task.id, attempt.id, nextDraw(dispute)];
  const seed = drawSeed('arbiter', { random, taskId, attemptId, round });
  const [first] = drawOrder(seed, pool);
  if (first === undefined) return undefined;
  if (!(await stillThere(tx, [first]))) return 'changed';
  const { account: arbiter } = first;
  return { arbiter, pulseSeq, seed: Buffer.from(seed).toString('hex'), pool };
}
