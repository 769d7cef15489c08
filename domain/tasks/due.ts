import { defined } from '../defined.ts';
import { plus } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { acceptAttempt, closed, paidChange, unreserved, without } from './change.ts';
import type { Change } from './change.ts';
import { closedUnpaid, panelUntil } from './decide.ts';
import { voidDispute } from './dispute.ts';
import { invitationOver } from './invitation.ts';
import { DECISION_TIMEOUT, AUTO_ACCEPT_MAX } from './limits.ts';
import { acceptedAttempt, claimed, undecided } from './model.ts';
import type { Attempt, Dispute, TaskAggregate, Task } from './model.ts';

/**
 * Decisions due by the clock (T8, T13, T19, T23, T25, T26). Invariant: the next one follows from
 * the task, its live attempts and its dispute alone, so it can be stored and indexed, and is
 * applied before any read or write; a stopped scheduler lets no late action through (choices
 * pipeline.due). A window opens when it is applied, so an outage shortens none.
 */
export type DueKind =
  | 'lease'
  | 'reservation'
  | 'invitation'
  | 'auto-accept'
  | 'panel-silent'
  | 'payout'
  | 'draw'
  | 'void'
  | 'deadline'
  | 'ignored';

export interface Due {
  readonly kind: DueKind;
  readonly at: Instant;
  readonly attempt?: Attempt;
}

/** The decision that the clock makes next; undefined while nothing is timed. */
export function nextDue(aggregate: TaskAggregate): Due | undefined {
  const { task } = aggregate;
  switch (task.state) {
    case 'held': {
      const attempt = claimed(aggregate);
      const at = attempt?.leaseEndsAt;
      return attempt === undefined || at === undefined ? undefined : { kind: 'lease', at, attempt };
    }
    case 'open':
      return openDue(aggregate);
    case 'delivered':
      return waitingDue(aggregate);
    case 'accepted': {
      const at = task.accepted?.payoutAt;
      const attempt = acceptedAttempt(aggregate);
      return attempt === undefined || at === undefined
        ? undefined
        : { kind: 'payout', at, attempt };
    }
    case 'disputed':
      return aggregate.dispute && disputeDue(aggregate.dispute);
    case 'paid':
    case 'refunded':
    case 'withdrawn':
    case 'expired':
      return undefined;
  }
}

/** A disputed payout waits for a ruling, an arbiter or its time's end, and nothing else. */
function disputeDue({ until, drawAt, voidAt }: Dispute): Due {
  const at = until ?? drawAt ?? voidAt;
  return at < voidAt ? { kind: 'draw', at } : { kind: 'void', at: voidAt };
}

function openDue(aggregate: TaskAggregate): Due | undefined {
  const { reserved, invited, deadline } = aggregate.task;
  const waiting = waitingDue(aggregate);
  if (waiting !== undefined) return waiting;
  if (reserved !== undefined && reserved.until < deadline) {
    return { kind: 'reservation', at: reserved.until };
  }
  if (invited !== undefined && invited.until < deadline) {
    return { kind: 'invitation', at: invited.until };
  }
  return { kind: 'deadline', at: deadline };
}

/** Returns the undecided result whose silence ends first. */
function waitingDue(aggregate: TaskAggregate): Due | undefined {
  return undecided(aggregate)
    .map((attempt) => silenceOver(aggregate.task, attempt))
    .reduce<Due | undefined>(
      (first, due) => (first && first.at <= due.at ? first : due),
      undefined,
    );
}

function silenceOver(task: Task, attempt: Attempt): Due {
  const delivered = attempt.deliveredAt ?? attempt.startedAt;
  const { autoAcceptSeconds } = task.windows;
  const judged = task.verification === 'validator';
  const silentSince = judged ? panelUntil(task, attempt) : delivered;
  if (autoAcceptSeconds !== undefined) {
    return { kind: 'auto-accept', at: plus(silentSince, autoAcceptSeconds), attempt };
  }
  if (judged) return { kind: 'panel-silent', at: plus(silentSince, DECISION_TIMEOUT), attempt };
  return { kind: 'ignored', at: plus(task.deadline, AUTO_ACCEPT_MAX), attempt };
}

/** The next decision that is due at `now`; apply it, then ask again until there is none. */
export function settleDue(aggregate: TaskAggregate, now: Instant): Change | undefined {
  const due = nextDue(aggregate);
  return due === undefined || due.at > now ? undefined : applyDue(aggregate, due, now);
}

/** Whether the time of a dispute is over, however many of its dates were missed on the way. */
export function isVoidDue({ dispute }: TaskAggregate, now: Instant): boolean {
  return dispute !== undefined && dispute.voidAt <= now;
}

function applyDue(aggregate: TaskAggregate, due: Due, now: Instant): Change | undefined {
  const { task } = aggregate;
  switch (due.kind) {
    case 'lease':
      return due.attempt && expire(task, due.attempt, due.at, now);
    case 'reservation':
      return reservationOver(task, now);
    case 'invitation':
      return invitationOver(task, now);
    case 'auto-accept': {
      const by = { event: 'task.auto-accepted', paysNow: false } as const;
      return due.attempt && acceptAttempt(aggregate, due.attempt, by, now);
    }
    case 'panel-silent':
      return due.attempt && handBack(task, due.attempt, now);
    case 'payout':
      return (
        due.attempt && paidChange({ task, attempts: [], events: [] }, due.attempt, 'payout', now)
      );
    case 'deadline':
      return closedUnpaid(unreserved(task), 'expired', { at: now, event: 'task.expired' });
    case 'ignored':
      return ignored(aggregate, now);
    case 'draw':
    case 'void':
      // Drawing takes seats and a secret, so it is the caller's; here is what needs neither.
      return isVoidDue(aggregate, now) ? voidDispute(aggregate, now) : undefined;
  }
}

/** The worker waits an hour from its lease's end, not the hub's look (choices tasks.leases). */
function expire(task: Task, attempt: Attempt, at: Instant, now: Instant): Change {
  const reason = 'the lease ended without a delivery';
  return {
    task: { ...task, state: 'open' },
    attempts: [closed(attempt, 'lapsed', at, reason)],
    events: [
      {
        at: now,
        event: 'attempt.lapsed',
        state: 'open',
        actor: attempt.worker,
        attemptId: attempt.id,
        note: reason,
      },
    ],
  };
}

function reservationOver(task: Task, now: Instant): Change {
  const winner = task.reserved?.for;
  return {
    task: without(task, 'reserved', 'chosen'),
    attempts: [],
    ...(task.chosen !== undefined && { pitch: { lapsedId: task.chosen.pitchId } }),
    events: [
      {
        at: now,
        event: 'pitch.lapsed',
        state: task.state,
        ...defined({ actor: winner }),
      },
    ],
  };
}

/** A result left undecided by both costs its worker nothing (choices validators.fallback). */
function handBack(task: Task, attempt: Attempt, now: Instant): Change {
  const reason = 'neither the panel nor the requester decided in time';
  return {
    task: { ...task, state: 'open' },
    attempts: [closed(attempt, 'superseded', now, reason)],
    events: [
      { at: now, event: 'panel.silent', state: 'open', attemptId: attempt.id, note: reason },
    ],
  };
}

function ignored(aggregate: TaskAggregate, now: Instant): Change {
  const { task } = aggregate;
  const waiting = undecided(aggregate);
  const reason = 'the requester never decided';
  const expired = closedUnpaid(task, 'expired', { at: now, event: 'task.expired' });
  return {
    ...expired,
    attempts: waiting.map((attempt) => closed(attempt, 'superseded', now, reason)),
    events: [
      ...waiting.map((attempt) => ({
        at: now,
        event: 'delivery.ignored' as const,
        state: 'expired' as const,
        actor: task.requester,
        attemptId: attempt.id,
        note: reason,
      })),
      ...expired.events,
    ],
  };
}
