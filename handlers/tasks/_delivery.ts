import { strict as assert } from 'node:assert';
import { trialAnswers } from '../../db/tasks/trials.ts';
import type { Verdict } from '../../domain/acceptance/rule.ts';
import { iso } from '../../domain/instant.ts';
import type { Instant } from '../../domain/instant.ts';
import { RESULT_BYTES_MAX } from '../../domain/task/limits.ts';
import { isTrial } from '../../domain/task/model.ts';
import type { Attempt, Task } from '../../domain/task/model.ts';
import { judgeTrial } from '../../domain/task/trial.ts';
import type { components } from '../../generated/types.ts';
import { refuse } from '../../server/errors.ts';
import type { Hub } from '../../server/hub.ts';
import type { Committed } from './_commit.ts';
import { presentNext, presentRefusal, presentSplit } from './_present.ts';

type SubmitResult = components['schemas']['SubmitResult'];
type Retry = components['schemas']['HttpCall'];

/** Refuses a result that is over its size before anything else is asked about it. */
export function mustFit(result: unknown): void {
  if (Buffer.byteLength(JSON.stringify(result)) > RESULT_BYTES_MAX) {
    refuse('body-too-large', {
      error: `The result is over ${RESULT_BYTES_MAX} bytes.`,
      field: 'body.result',
    });
  }
}

/**
 * A result against the rule of the task, before the transaction: a check may take a worker thread,
 * and no deal changes while somebody works under it. Asked only for who may deliver, so that a
 * stranger's call costs no check.
 */
export async function judgeResult(hub: Hub, task: Task, result: unknown): Promise<Verdict> {
  if (task.acceptance === undefined) return { accepted: true };
  const verdict = await hub.checks.judge(task.acceptance, result);
  if (!verdict.accepted || !isTrial(task)) return verdict;
  return judgeTrial(await hub.store.read((db) => trialAnswers(db, task.id)), result);
}

/** What became of a result; a refused one comes with the call that tries again (T6). */
export function presentDelivery(
  committed: Committed,
  about: {
    readonly attempt: Attempt;
    readonly verdict: Verdict;
    readonly attemptsLeft: number;
    readonly retry: Retry;
  },
  now: Instant,
): Omit<SubmitResult, 'repeated'> {
  const { play, moved } = committed;
  const { task } = play;
  const { verdict, attemptsLeft, retry } = about;
  // Silence of no seconds accepts in this very call, after the delivery was written.
  const attempt = play.live.find(({ id }) => id === about.attempt.id) ?? about.attempt;
  assert(attempt.result !== undefined, 'a delivery carries its result');
  const accepted = attempt.state === 'accepted';
  const paysAt = task.accepted?.payoutAt;
  return {
    taskId: task.id,
    solutionId: attempt.id,
    outcome: accepted ? 'accepted' : verdict.accepted ? 'waiting' : 'refused',
    accepted,
    state: task.state,
    attemptsLeft,
    ...(!verdict.accepted && { refused: verdict.refused.map(presentRefusal) }),
    ...(!verdict.accepted && attemptsLeft > 0 && task.state === 'open' && { retry }),
    ...(task.reward && moved.split && { split: presentSplit(task.reward, moved.split) }),
    ...(accepted && task.state === 'accepted' && paysAt && { paysAt: iso(paysAt) }),
    ...(task.state === 'paid' && moved.transferId && { transferId: moved.transferId }),
    next: presentNext(play, now),
  };
}
