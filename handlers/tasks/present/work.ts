import { strict as assert } from 'node:assert';
import type { OwedVerdict } from '../../../db/tasks/work.ts';
import type { Account } from '../../../domain/account.ts';
import { defined } from '../../../domain/defined.ts';
import { nextDue } from '../../../domain/tasks/due.ts';
import { renewableUntil } from '../../../domain/tasks/lease.ts';
import {
  acceptedAttempt,
  claimed,
  undecided,
  type Attempt,
  type Task,
  type TaskAggregate,
} from '../../../domain/tasks/model.ts';
import { attemptWork, taskWork, type WorkState } from '../../../domain/tasks/work.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { presentNextFor } from '../../../workflows/tasks/nextActions.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { presentMoney } from './task.ts';

type WorkItem = Schemas['WorkItem'];

/** Presents the part of a task that every party sees, with the calls that are this party's. */
function presentCommon(hub: Hub, aggregate: TaskAggregate, state: WorkState, who: Account) {
  const now = hub.clock.now();
  const { task, dispute } = aggregate;
  const due = state === 'waiting' ? nextDue(aggregate) : undefined;
  const { payoutAt } = task.accepted ?? {};
  return {
    state,
    taskId: task.id,
    title: task.title,
    requester: task.requester,
    taskState: task.state,
    ...(task.reward !== undefined && { reward: presentMoney(task.reward) }),
    ...(due !== undefined && due.at > now && { decidesAt: due.at }),
    ...(state === 'accepted' && payoutAt !== undefined && { paysAt: payoutAt }),
    ...(state === 'disputed' &&
      dispute !== undefined && {
        dispute: {
          raisedBy: dispute.raisedBy,
          at: dispute.at,
          ...defined({ arbiter: dispute.arbiter }),
          voidAt: dispute.voidAt,
        },
      }),
    next: presentNextFor(hub, aggregate, who).filter((action) => action.who === who),
  };
}

export function presentAttemptWork(hub: Hub, attempt: Attempt, aggregate: TaskAggregate): WorkItem {
  const { id, worker, state, leaseEndsAt, progress, deliveredAt, endedAt, reason } = attempt;
  const work = attemptWork(attempt, aggregate.task);
  const { next, ...common } = presentCommon(hub, aggregate, work, worker);
  return {
    id,
    role: 'worker',
    ...common,
    attemptId: id,
    worker,
    attemptState: state,
    since: attempt.startedAt,
    ...(state === 'claimed' && {
      ...defined({ leaseEndsAt }),
      renewableUntil: renewableUntil(aggregate.task, attempt),
    }),
    progress,
    deliveredAt,
    endedAt,
    reason,
    // An older attempt of the same worker does not own the calls of its newer one.
    next: work === 'closed' ? [] : next,
  };
}

/** The task that a worker's pitch won; it has no attempt before the claim. */
export function presentWonWork(hub: Hub, task: Task, worker: Account): WorkItem {
  const { chosen, reserved } = task;
  assert(chosen !== undefined, 'a pitch was chosen');
  return {
    id: chosen.pitchId,
    role: 'worker',
    ...presentCommon(hub, { task, live: [] }, 'open', worker),
    worker,
    since: task.createdAt,
    reservedUntil: reserved?.until,
  };
}

/** A task that is offered to this account first; claiming it accepts. */
export function presentInvitedWork(hub: Hub, task: Task, worker: Account): WorkItem {
  return {
    id: task.id,
    role: 'worker',
    ...presentCommon(hub, { task, live: [] }, 'open', worker),
    worker,
    since: task.createdAt,
    offeredUntil: task.invited?.until,
  };
}

export function presentTaskWork(hub: Hub, aggregate: TaskAggregate): WorkItem {
  const { task } = aggregate;
  const waiting = undecided(aggregate);
  const attempt = claimed(aggregate) ?? acceptedAttempt(aggregate) ?? waiting[0];
  return {
    id: task.id,
    role: 'requester',
    ...presentCommon(hub, aggregate, taskWork(aggregate), task.requester),
    ...(attempt !== undefined && {
      attemptId: attempt.id,
      worker: attempt.worker,
      ...defined({ progress: attempt.progress }),
    }),
    undecided: waiting.length,
    since: task.createdAt,
  };
}

export function presentCase(
  hub: Hub,
  owed: OwedVerdict,
  aggregate: TaskAggregate,
  judge: Account,
): WorkItem {
  const { kind, id, since, until } = owed;
  const attemptId = owed.attemptId ?? aggregate.task.accepted?.attemptId;
  return {
    id,
    role: 'judge',
    ...presentCommon(hub, aggregate, 'waiting', judge),
    case: kind,
    attemptId,
    since,
    decidesAt: until,
  };
}
