import { defined } from '../defined.ts';
import { iso } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { acceptAttempt, closed, refused } from './change.ts';
import type { Change, Refused } from './change.ts';
import type { JudgedResult } from './deliver.ts';
import { WAITING_MAX } from './limits.ts';
import { undecided } from './model.ts';
import type { Attempt, TaskAggregate, Task } from './model.ts';
import { attemptsUsed, privateTrial, selfDealing, threadOnly } from './worker.ts';
import type { Worker } from './worker.ts';

/**
 * Work without a lock: announcing (T17) and solving (T14 to T16). Invariant: an account has at most
 * one undecided solution per task, and the first that passes an automatic task's rule wins.
 */
export interface Offer {
  readonly worker: Worker;
  readonly attemptId: string;
  readonly announced?: Attempt;
}

/** Why the attempt may not be announced, in order of precedence. */
export function announceRefusal(
  { task }: TaskAggregate,
  worker: Worker,
  now: Instant,
): Refused | undefined {
  return (
    threadOnly(task) ??
    privateTrial(task) ??
    notOpen(task) ??
    tooLate(task, now) ??
    selfDealing(worker)
  );
}

/** Announces in public that a worker is on it; a second announcement changes nothing. */
export function announce(aggregate: TaskAggregate, offer: Offer, now: Instant): Change {
  if (offer.announced !== undefined) {
    return { task: aggregate.task, attempts: [offer.announced], events: [] };
  }
  const attempt = started(aggregate.task, offer, 'announced', now);
  return {
    task: { ...aggregate.task, attempts: aggregate.task.attempts + 1 },
    attempts: [attempt],
    events: [
      {
        at: now,
        event: 'attempt.announced',
        state: aggregate.task.state,
        actor: attempt.worker,
        attemptId: attempt.id,
      },
    ],
  };
}

/** Why the solution is not taken, in order of precedence. */
export function offerRefusal(
  aggregate: TaskAggregate,
  worker: Worker,
  now: Instant,
): Refused | undefined {
  const { task } = aggregate;
  return (
    threadOnly(task) ??
    (task.mode === 'exclusive'
      ? refused('wrong-mode', 'This task is exclusive: claim it, then submit with the claim token.')
      : undefined) ??
    notOpen(task) ??
    tooLate(task, now) ??
    selfDealing(worker) ??
    attemptsUsed(task, worker.history) ??
    oneWaiting(aggregate, worker) ??
    manyWaiting(aggregate)
  );
}

export function offer(
  aggregate: TaskAggregate,
  by: Offer,
  solution: JudgedResult,
  now: Instant,
): Change {
  const task: Task = {
    ...aggregate.task,
    attempts: aggregate.task.attempts + (by.announced === undefined ? 1 : 0),
  };
  const attempt: Attempt = {
    ...started(task, by, 'waiting', now),
    deliveredAt: now,
    result: { value: solution.result, ...defined({ files: solution.files }) },
  };
  const who = { actor: attempt.worker, attemptId: attempt.id };
  if (!solution.verdict.accepted) {
    const reason = solution.verdict.refused[0]?.text ?? 'the acceptance rule refused it';
    return {
      task,
      attempts: [closed(attempt, 'refused', now, reason)],
      events: [{ at: now, event: 'attempt.refused', state: 'open', ...who, note: reason }],
    };
  }
  if (task.verification === 'automatic') {
    const accepted = { event: 'task.accepted', actor: attempt.worker, paysNow: false } as const;
    return acceptAttempt({ task, live: aggregate.live }, attempt, accepted, now);
  }
  return {
    task,
    attempts: [attempt],
    events: [{ at: now, event: 'solution.offered', state: 'open', ...who }],
  };
}

function started(task: Task, by: Offer, state: 'announced' | 'waiting', now: Instant): Attempt {
  return {
    id: by.announced?.id ?? by.attemptId,
    taskId: task.id,
    worker: by.worker.account,
    payee: by.worker.payee,
    ...defined({ agentId: by.worker.agentId }),
    state,
    termsDigest: task.terms.digest,
    startedAt: by.announced?.startedAt ?? now,
  };
}

function notOpen(task: Task): Refused | undefined {
  if (task.state === 'open') return undefined;
  return refused('wrong-state', `This task is ${task.state}; it takes no new work.`);
}

function oneWaiting(aggregate: TaskAggregate, worker: Worker): Refused | undefined {
  if (!undecided(aggregate).some((attempt) => attempt.worker === worker.account)) return undefined;
  return refused('solutions-pending', 'Your solution on this task waits for its decision.');
}

/** After the deadline only what arrived by then is decided: more would hold the reward longer. */
function tooLate({ id, deadline }: Task, now: Instant): Refused | undefined {
  if (now < deadline) return undefined;
  return refused('deadline', `This task took results until ${iso(deadline)}.`, {
    hint: `\`GET /api/v1/tasks/${id}\` shows how it ends; other work is at \`GET /api/v1/tasks\`.`,
  });
}

/** All waiting results are decided in one transaction, so their number is bounded. */
function manyWaiting(aggregate: TaskAggregate): Refused | undefined {
  if (undecided(aggregate).length < WAITING_MAX) return undefined;
  const { id } = aggregate.task;
  return refused('solutions-pending', `${WAITING_MAX} results wait on this task already.`, {
    hint: `Try again when the requester has decided some: \`GET /api/v1/tasks/${id}\` shows them.`,
  });
}
