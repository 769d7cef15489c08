import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { instant, iso, plus } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { acceptAttempt, closed, isRefused, paidChange, refused } from './change.ts';
import type { Change, Refused } from './change.ts';
import { PANEL_TIMEOUT } from './limits.ts';
import { acceptedAttempt, claimed, undecided } from './model.ts';
import type { Attempt, TaskAggregate, Task } from './model.ts';

/**
 * The decisions of a requester: accept and pay (T11), refuse with a reason (T12), withdraw (T24).
 * Invariant: accepting pays at once and waits for no other party, refusing never takes what a panel
 * or the rule has granted, and no answer can be read and then left unpaid by withdrawing.
 */

/** The solution a request names: absent, or an id with the attempt of this task that it found. */
export interface SolutionRef {
  readonly id: string;
  readonly attempt?: Attempt;
}

export function accept(
  aggregate: TaskAggregate,
  by: Account,
  named: SolutionRef | undefined,
  now: Instant,
): Change | Refused {
  const { task } = aggregate;
  const stranger = notRequester(task, by);
  if (stranger !== undefined) return stranger;
  const winner = acceptedAttempt(aggregate);
  if (task.state === 'accepted' && task.reward !== undefined && winner !== undefined) {
    if (named !== undefined && named.id !== winner.id) return alreadyDecided(named);
    return waive(aggregate, winner, by, now);
  }
  const choice = chosen(aggregate, named);
  if (isRefused(choice)) return choice;
  if (task.shares !== undefined && choice.length > 0) return manyWin(task.id);
  const [attempt, ...more] = choice;
  if (attempt === undefined) return nothingWaits(task);
  if (more.length > 0) {
    return refused('solutions-pending', 'Several results wait; name one as solutionId.', {
      field: 'body.solutionId',
      allowed: choice.map((each) => each.id),
    });
  }
  return acceptAttempt(
    aggregate,
    attempt,
    { event: 'task.accepted', actor: by, paysNow: true },
    now,
  );
}

function manyWin(id: string): Refused {
  return refused('wrong-mode', 'This task divides its reward among several winners.', {
    field: 'body.winners',
    hint: `\`GET /api/v1/tasks/${id}/solutions\` lists the results; send the call again with all winners, the first place first.`,
  });
}

/** The requester gives up the rest of the dispute window. */
function waive(aggregate: TaskAggregate, winner: Attempt, by: Account, now: Instant): Change {
  const accepted: Change = {
    task: aggregate.task,
    attempts: [],
    events: [
      { at: now, event: 'task.accepted', state: 'accepted', actor: by, attemptId: winner.id },
    ],
  };
  return paidChange(accepted, winner, 'payout', now);
}

export function reject(
  aggregate: TaskAggregate,
  by: Account,
  request: { readonly reason: string; readonly solution?: SolutionRef },
  now: Instant,
): Change | Refused {
  const { task } = aggregate;
  const stranger = notRequester(task, by);
  if (stranger !== undefined) return stranger;
  const choice = chosen(aggregate, request.solution);
  if (isRefused(choice)) return choice;
  if (choice.length === 0) return nothingWaits(task);
  const judging = choice.map((attempt) => panelUntil(task, attempt)).find((until) => until > now);
  if (judging !== undefined) {
    return refused('wrong-state', `The panel decides until ${iso(judging)}; you may accept.`, {
      until: judging,
    });
  }
  return {
    task: { ...task, state: 'open' },
    attempts: choice.map((attempt) => closed(attempt, 'rejected', now, request.reason)),
    events: choice.map((attempt) => ({
      at: now,
      event: 'attempt.rejected',
      state: 'open',
      actor: by,
      attemptId: attempt.id,
      note: request.reason,
    })),
  };
}

/** Until when a result is the panel's to judge; the beginning of time when no panel is asked. */
export function panelUntil(task: Task, attempt: Attempt): Instant {
  if (task.verification !== 'validator') return instant(0);
  return plus(attempt.deliveredAt ?? attempt.startedAt, PANEL_TIMEOUT);
}

/** Returns the requester's next step for a task in a worker's hands: read it, and come back. */
function whenFree(aggregate: TaskAggregate): Pick<Refused, 'hint' | 'until'> {
  const { task } = aggregate;
  const until = claimed(aggregate)?.leaseEndsAt ?? task.reserved?.until;
  const when = until === undefined ? '' : ` at ${iso(until)}`;
  return {
    hint: `It comes free${when} unless a result is delivered by then: \`GET /api/v1/tasks/${task.id}\` shows which; then cancel, or accept or reject the result.`,
    ...defined({ until }),
  };
}

export function cancel(aggregate: TaskAggregate, by: Account, now: Instant): Change | Refused {
  const { task } = aggregate;
  const stranger = notRequester(task, by);
  if (stranger !== undefined) return stranger;
  if (task.state === 'held' || task.reserved !== undefined) {
    return refused(
      'already-claimed',
      'A worker holds this task; it can be withdrawn when it is free.',
      whenFree(aggregate),
    );
  }
  if (undecided(aggregate).length > 0) {
    return refused(
      'solutions-pending',
      'A result waits for your decision: accept or reject it first.',
    );
  }
  if (task.state !== 'open') return refused('wrong-state', `This task is ${task.state}.`);
  if (task.chain !== undefined) {
    const chain = `/api/v1/chains/${task.chain.id}/abandon`;
    return refused('wrong-state', `A step ends with its chain: POST ${chain} ends it.`);
  }
  return closedUnpaid(task, 'withdrawn', { at: now, event: 'task.withdrawn', actor: by });
}

/** Ends a task that paid no worker: the escrow goes back, less what judges earned (T24 to T26). */
export function closedUnpaid(
  task: Task,
  state: 'withdrawn' | 'expired',
  event: {
    readonly at: Instant;
    readonly event: 'task.withdrawn' | 'task.expired';
    readonly actor?: Account;
  },
): Change {
  return {
    task: { ...task, state },
    attempts: [],
    events: [{ ...event, state }],
    ...(task.reward !== undefined && { money: { step: 'refund' } }),
  };
}

export function notRequester(task: Task, by: Account): Refused | undefined {
  if (task.requester === by) return undefined;
  return refused('not-a-party', 'Only the requester of this task decides.');
}

function chosen(
  aggregate: TaskAggregate,
  named: SolutionRef | undefined,
): readonly Attempt[] | Refused {
  const waiting = undecided(aggregate);
  if (named === undefined) return waiting;
  const found = waiting.find((attempt) => attempt.id === named.id);
  return found === undefined ? alreadyDecided(named) : [found];
}

export function alreadyDecided(named: SolutionRef): Refused {
  if (named.attempt?.deliveredAt === undefined) {
    return refused('not-found', 'This task has no solution with this id.', {
      field: 'body.solutionId',
    });
  }
  return refused('decided', `This solution was ${named.attempt.state} already.`, {
    field: 'body.solutionId',
  });
}

function nothingWaits(task: Task): Refused {
  return refused('wrong-state', `This task is ${task.state} and no result waits for a decision.`);
}
