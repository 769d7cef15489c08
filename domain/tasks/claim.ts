import { defined } from '../defined.ts';
import { iso } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { isRefused, refused, unreserved } from './change.ts';
import type { Change, Refused } from './change.ts';
import { notInvited } from './invitation.ts';
import { firstLeaseEnd, renewedLeaseEnd } from './lease.ts';
import { claimed, isPitch } from './model.ts';
import type { Attempt, TaskAggregate, Task } from './model.ts';
import {
  attemptsUsed,
  claimLimit,
  cooling,
  distinctWorker,
  lacksSkill,
  privateTrial,
  selfDealing,
  starterUsed,
  threadOnly,
} from './worker.ts';
import type { Worker } from './worker.ts';

/**
 * Taking an exclusive task (T2) and keeping it (T3). Invariant: one live lease and one live token
 * per task, a lease never outlives the deadline, and a claim ends with what its task lets it renew.
 */
export interface ClaimRequest {
  readonly worker: Worker;
  /** Declared skills; absent means no skill filter. */
  readonly skills?: readonly string[];
  readonly attemptId: string;
  /** The secret of an attempt: the same one as long as its lease is renewed. */
  readonly token: (of: Pick<Attempt, 'id' | 'tokenKey'>) => ClaimToken;
  readonly announced?: Attempt;
}

/** The token for the holder, and the name of the key that it is derived from. */
export type ClaimToken = Required<Pick<Attempt, 'claimToken' | 'tokenKey'>>;

export interface Claimed extends Change {
  readonly attempt: Attempt;
  readonly renewed: boolean;
}

export function claim(
  aggregate: TaskAggregate,
  request: ClaimRequest,
  now: Instant,
): Claimed | Refused {
  const held = claimed(aggregate);
  if (held?.worker === request.worker.account) return renew(aggregate, request, held, now);
  return claimRefusal(aggregate, request, now) ?? take(aggregate, request, now);
}

/** Why this worker may not take this task now, in order of precedence. */
function claimRefusal(
  aggregate: TaskAggregate,
  request: Pick<ClaimRequest, 'worker' | 'skills'>,
  now: Instant,
): Refused | undefined {
  const { task } = aggregate;
  const { worker, skills } = request;
  return (
    threadOnly(task) ??
    privateTrial(task) ??
    (task.mode === 'open'
      ? refused('wrong-mode', 'This task takes solutions from any account and is never held.')
      : undefined) ??
    selfDealing(worker) ??
    distinctWorker(worker) ??
    notFree(task) ??
    notChosen(task, worker) ??
    notInvited(task, worker.account) ??
    othersMilestone(task, worker) ??
    missingSkill(task, skills) ??
    starterUsed(task, worker) ??
    attemptsUsed(task, worker.history) ??
    cooling(worker.history, now) ??
    claimLimit(worker)
  );
}

function notFree(task: Task): Refused | undefined {
  if (task.state === 'open') return undefined;
  if (task.state === 'held' || task.state === 'delivered') {
    return refused('already-claimed', 'Another worker holds this task.');
  }
  return refused('wrong-state', `This task is ${task.state}; only an open task can be claimed.`);
}

function notChosen(task: Task, worker: Worker): Refused | undefined {
  const { reserved, chosen } = task;
  if (reserved !== undefined) {
    if (reserved.for === worker.account) return undefined;
    return refused('not-chosen', `Kept for the chosen pitch until ${iso(reserved.until)}.`, {
      until: reserved.until,
    });
  }
  if (isPitch(task) && chosen?.worker !== worker.account) {
    return refused('pitch-required', 'Offer a plan first; the requester chooses who may claim.');
  }
  return undefined;
}

/** The milestones of a chain belong to the worker of the first (choices chains.milestones). */
function othersMilestone({ chain }: Task, { account }: Worker): Refused | undefined {
  if (chain?.worker === undefined || chain.worker === account) return undefined;
  const why = `This milestone belongs to the worker of those before it, ${chain.worker}.`;
  return refused('not-chosen', why, { hint: '`POST /api/v1/tasks/claim` gives you other work.' });
}

function missingSkill(task: Task, skills: readonly string[] | undefined): Refused | undefined {
  const missing = lacksSkill(task, skills);
  if (missing === undefined) return undefined;
  return refused(
    'skill-mismatch',
    `This task needs the skill "${missing}", which you did not name.`,
    {
      field: 'body.skills',
      allowed: task.requiredSkills,
    },
  );
}

/** The lease itself, for a worker who may have it. */
export function take(aggregate: TaskAggregate, request: ClaimRequest, now: Instant): Claimed {
  const { worker, announced } = request;
  const task: Task = {
    ...unreserved(aggregate.task),
    state: 'held',
    attempts: aggregate.task.attempts + (announced === undefined ? 1 : 0),
  };
  const id = announced?.id ?? request.attemptId;
  const attempt: Attempt = {
    id,
    taskId: task.id,
    worker: worker.account,
    payee: worker.payee,
    ...defined({ agentId: worker.agentId }),
    state: 'claimed',
    termsDigest: task.terms.digest,
    startedAt: now,
    leaseEndsAt: firstLeaseEnd(task, now),
    ...request.token({ id }),
  };
  return {
    task,
    attempts: [attempt],
    events: [
      {
        at: now,
        event: 'task.claimed',
        state: 'held',
        actor: worker.account,
        attemptId: attempt.id,
      },
    ],
    attempt,
    renewed: false,
  };
}

function renew(
  aggregate: TaskAggregate,
  { token }: Pick<ClaimRequest, 'token'>,
  held: Attempt,
  now: Instant,
): Claimed {
  const leaseEndsAt = renewedLeaseEnd(aggregate.task, held, now);
  const attempt: Attempt = { ...held, leaseEndsAt, ...token(held) };
  return {
    task: aggregate.task,
    attempts: [attempt],
    events: [
      { at: now, event: 'lease.renewed', state: 'held', actor: held.worker, attemptId: held.id },
    ],
    attempt,
    renewed: true,
  };
}

/**
 * Queue order is reward, then age; what a worker gave back before comes last, and so does work that
 * its requester may leave undecided as it left others (choices tasks.queue).
 */
export function mayOffer(
  aggregate: TaskAggregate,
  request: Pick<ClaimRequest, 'worker' | 'skills'> & { readonly ignoredDeliveries?: number },
  now: Instant,
): 'yes' | 'last' | 'no' {
  const decision = claimRefusal(aggregate, request, now);
  if (decision !== undefined && isRefused(decision)) return 'no';
  const { worker, ignoredDeliveries = 0 } = request;
  const isRisky = ignoredDeliveries > 0 && restsOnRequester(aggregate.task);
  return worker.history.fails > 0 || isRisky ? 'last' : 'yes';
}

/** Whether the silence of its requester leaves a result undecided: no rule and no clock accepts. */
export function restsOnRequester({
  verification,
  windows,
}: Pick<Task, 'verification' | 'windows'>): boolean {
  return verification !== 'automatic' && windows.autoAcceptSeconds === undefined;
}
