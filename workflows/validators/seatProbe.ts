import { claimProbes, lockSeats, saveSeat } from '../../db/validators/seats.ts';
import type { Writer } from '../../db/store.ts';
import { plus, seconds } from '../../domain/instant.ts';
import { probed } from '../../domain/validators/register.ts';
import type { ValidatorSeat } from '../../domain/validators/seat.ts';
import type { Hub } from '../kernel/hub.ts';
import { askJudge } from './judgeCall.ts';
import type { JudgeCase, JudgeAnswer } from './judgeCall.ts';
import { lostAt, runJudgeCalls } from './callerPool.ts';
import type { JudgeCall } from './callerPool.ts';
import { JUDGE_CALLS_TOPIC } from '../topics.ts';

const UNASKED_PAUSE = seconds(5);

/** Sends paused seats a synthetic case; one that is answered in the right form lifts the pause. */
export function probeSeats(hub: Hub): Promise<void> {
  return runJudgeCalls(hub, JUDGE_CALLS_TOPIC, async (limit) => {
    const now = hub.clock.now();
    const claim = { now, lostAt: lostAt(now), limit };
    const claimed = await hub.store.write((tx) => claimProbes(tx, claim));
    return claimed.map((seat): JudgeCall => ({ run: (signal) => probe(hub, seat, signal) }));
  });
}

async function probe(hub: Hub, seat: ValidatorSeat, signal: AbortSignal): Promise<boolean> {
  const answer = await askJudge(hub, seat.endpoint, syntheticCase(hub), signal);
  if (answer.kind === 'unasked' && answer.closing) return true;
  await hub.store.write((tx) => keep(tx, hub, seat, answer));
  return false;
}

/** Nothing of what it asks is secret: it measures whether an endpoint judges, not how well. */
function syntheticCase({ ids }: Hub): JudgeCase {
  return {
    taskId: ids.uuid(),
    attemptId: ids.uuid(),
    title: 'Synthetic case: add two numbers',
    description: 'The hub tries your endpoint. The result is the sum of the two numbers in input.',
    input: { a: 2, b: 3 },
    result: { sum: 5 },
  };
}

async function keep(
  tx: Writer,
  hub: Hub,
  claimed: ValidatorSeat,
  answer: JudgeAnswer,
): Promise<void> {
  const now = hub.clock.now();
  const [seat] = await lockSeats(tx, [claimed.account]);
  // Changed by its owner, or claimed again, since the case went out: that one counts.
  if (seat?.probe.at === undefined || seat.probe.at !== claimed.probe.at) return;
  const after =
    answer.kind === 'unasked'
      ? { ...seat, probe: { ...seat.probe, at: plus(now, UNASKED_PAUSE) } }
      : probed(seat, answer.kind === 'judged', now);
  await saveSeat(tx, after, seat);
}
