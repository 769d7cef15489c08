import { earliest, instant, iso, plus, seconds } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { refused } from './change.ts';
import type { Change, Refused } from './change.ts';
import { HOLDING_MAX, LEASE } from './limits.ts';
import { claimed, isThread } from './model.ts';
import type { Attempt, Task, TaskAggregate, TaskTerms } from './model.ts';
import type { LeaseTerms, Progress } from './workTerms.ts';

/**
 * How long a claim lasts without a sign of life, and for how long one claim may be renewed (choices
 * tasks.leases). Invariant: no lease ends after the deadline, and a renewal never shortens one.
 */
const STANDING_LEASE: LeaseTerms = { leaseSeconds: LEASE, renewForSeconds: HOLDING_MAX };

export function leaseOf({ lease }: Pick<TaskTerms, 'lease'>): LeaseTerms {
  return lease ?? STANDING_LEASE;
}

/** A longer lease may be renewed for its own length at least, unless the requester says more. */
export function leaseTerms(asked: {
  readonly leaseSeconds?: number;
  readonly renewForSeconds?: number;
}): LeaseTerms | undefined {
  if (asked.leaseSeconds === undefined && asked.renewForSeconds === undefined) return undefined;
  const leaseSeconds = seconds(asked.leaseSeconds ?? LEASE);
  const longest = Math.max(HOLDING_MAX, leaseSeconds);
  return { leaseSeconds, renewForSeconds: seconds(asked.renewForSeconds ?? longest) };
}

type Deal = Pick<TaskTerms, 'lease' | 'mode' | 'tags' | 'deadline'>;

/** Why this lease cannot be agreed; the field is where the caller sent it. */
export function leaseRefusal(deal: Deal, now: Instant, path = 'body'): Refused | undefined {
  if (deal.lease === undefined) return undefined;
  const { leaseSeconds } = deal.lease;
  const field = `${path}.leaseSeconds`;
  if (deal.mode === 'open' || isThread(deal)) {
    const why = 'A lease is of an exclusive task; this one is never held by one worker.';
    const hint = 'Send the call again without leaseSeconds and renewForSeconds.';
    return refused('not-together', why, { field, hint });
  }
  if (plus(now, leaseSeconds) > deal.deadline) {
    const left = Math.floor((deal.deadline - now) / 1000);
    const why = `A lease of ${leaseSeconds} seconds outlives the deadline ${iso(deal.deadline)}, which is ${left} seconds away.`;
    const hint = `Send leaseSeconds of at most ${left}, or a later deadline.`;
    return refused('deadline', why, { field, hint });
  }
  return renewalRefusal(deal, path);
}

/** The same of a lease that was agreed before: it ends with the deadline, however near that is. */
export function renewalRefusal({ lease }: Deal, path: string): Refused | undefined {
  if (lease === undefined || lease.renewForSeconds >= lease.leaseSeconds) return undefined;
  const why = `renewForSeconds counts from the claim, so it is at least the lease of ${lease.leaseSeconds} seconds.`;
  const hint = `Send renewForSeconds of at least ${lease.leaseSeconds}.`;
  return refused('not-together', why, { field: `${path}.renewForSeconds`, hint });
}

export function firstLeaseEnd(task: Task, now: Instant): Instant {
  return earliest(plus(now, leaseOf(task).leaseSeconds), task.deadline);
}

/** When the lease ends if its holder shows a sign of life now. */
export function renewedLeaseEnd(task: Task, held: Attempt, now: Instant): Instant {
  const { leaseSeconds, renewForSeconds } = leaseOf(task);
  const last = earliest(plus(held.startedAt, renewForSeconds), task.deadline);
  const until = earliest(plus(now, leaseSeconds), last);
  return instant(Math.max(until, held.leaseEndsAt ?? until));
}

/** The last moment to which this claim can be renewed. */
export function renewableUntil(task: Task, held: Attempt): Instant {
  return earliest(plus(held.startedAt, leaseOf(task).renewForSeconds), task.deadline);
}

/** The holder shows a sign of life: the lease is renewed, and the requester sees how far it is. */
export function heartbeat(
  aggregate: TaskAggregate,
  report: Pick<Progress, 'percent' | 'note'>,
  now: Instant,
): Change {
  const held = claimed(aggregate);
  if (held === undefined) return { task: aggregate.task, attempts: [], events: [] };
  const hasReport = report.percent !== undefined || report.note !== undefined;
  const leaseEndsAt = renewedLeaseEnd(aggregate.task, held, now);
  const attempt: Attempt = {
    ...held,
    leaseEndsAt,
    ...(hasReport && { progress: { ...report, at: now } }),
  };
  const note = [
    ...(report.percent === undefined ? [] : [`${report.percent} percent`]),
    ...(report.note === undefined ? [] : [report.note]),
  ].join(': ');
  return {
    task: aggregate.task,
    attempts: [attempt],
    events: [
      {
        at: now,
        event: hasReport ? 'attempt.progress' : 'lease.renewed',
        state: aggregate.task.state,
        actor: held.worker,
        attemptId: held.id,
        ...(note !== '' && { note }),
      },
    ],
  };
}

/** Progress is the holder's to report; on free work there is none yet. */
export function notHolding({ task }: TaskAggregate): Refused {
  const why = 'Only the worker that holds this task reports progress, and you do not hold it.';
  const hint = `\`POST /api/v1/tasks/${task.id}/claim\` takes it if it is open; then report progress, or send the call without percent and note.`;
  return refused('wrong-state', why, { hint });
}
