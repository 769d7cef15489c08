import { strict as assert } from 'node:assert';
import type { Verdict } from '../../../domain/acceptance/rule.ts';
import type { Attempt } from '../../../domain/tasks/model.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import type { Committed } from '../../../workflows/tasks/aggregate.ts';
import { presentRefusal, presentSplit } from './task.ts';
import { presentNextFor } from '../../../workflows/tasks/nextActions.ts';

type SubmitResult = Schemas['SubmitResult'];
type Retry = Schemas['HttpCall'];

/** Presents the state of a result; a refused one comes with the call that tries again (T6). */
export function presentDelivery(
  committed: Committed,
  about: {
    readonly attempt: Attempt;
    readonly verdict: Verdict;
    readonly attemptsLeft: number;
    readonly retry: Retry;
  },
  hub: Hub,
): Omit<SubmitResult, 'repeated'> {
  const { aggregate, settlement: moved } = committed;
  const { task } = aggregate;
  const { verdict, attemptsLeft, retry } = about;
  // Silence of no seconds accepts in this very call, after the delivery was written.
  const attempt = aggregate.live.find(({ id }) => id === about.attempt.id) ?? about.attempt;
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
    ...(accepted && task.state === 'accepted' && paysAt && { paysAt }),
    ...(task.state === 'paid' && moved.transferId && { transferId: moved.transferId }),
    next: presentNextFor(hub, aggregate, attempt.worker),
  };
}
