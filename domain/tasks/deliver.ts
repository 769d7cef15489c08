import type { Verdict } from '../acceptance/rule.ts';
import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { iso } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { acceptAttempt, closed, refused, without } from './change.ts';
import type { Change, Refused } from './change.ts';
import type { TaskFile } from './files.ts';
import type { Attempt, TaskAggregate } from './model.ts';

/**
 * Delivering (T4, T5, T6) and giving back (T7). Invariant: only the account that claimed may use
 * the token, only while its lease lives, and only once.
 */

/** Why the holder of this token may not use it, in order of precedence; the attempt when it may. */
export function usable(
  aggregate: TaskAggregate,
  attempt: Attempt | undefined,
  by: Account,
  now: Instant,
): Attempt | Refused {
  if (attempt === undefined) {
    return refused('claim-token', 'No claim on this task ever had this token.', {
      field: 'body.claimToken',
    });
  }
  if (attempt.worker !== by) {
    return refused(
      'not-a-party',
      'The claim belongs to the account that made it, not to the signer.',
    );
  }
  const { state, leaseEndsAt } = attempt;
  if (state === 'lapsed' || (state === 'claimed' && (leaseEndsAt ?? now) <= now)) {
    return refused('lease-over', `Your lease ended at ${iso(leaseEndsAt ?? now)}.`);
  }
  if (state === 'waiting' || state === 'accepted') {
    return refused('wrong-state', `You delivered already; the task is ${aggregate.task.state}.`);
  }
  if (state !== 'claimed') {
    return refused('claim-token', `This token was spent: the attempt ended as ${state}.`, {
      field: 'body.claimToken',
    });
  }
  return attempt;
}

/** A result with the verdict of the rule about it. */
export interface JudgedResult {
  readonly result: unknown;
  readonly files?: readonly TaskFile[];
  readonly verdict: Verdict;
}

/** A result for the rule's verdict; without a rule it passes to the requester or panel. */
export function deliver(
  aggregate: TaskAggregate,
  attempt: Attempt,
  delivery: JudgedResult,
  now: Instant,
): Change {
  const result = { value: delivery.result, ...defined({ files: delivery.files }) };
  const carrying: Attempt = { ...attempt, deliveredAt: now, result };
  const { task } = aggregate;
  if (!delivery.verdict.accepted) {
    const reason = delivery.verdict.refused[0]?.text ?? 'the acceptance rule refused it';
    return handedBack(aggregate, closed(carrying, 'refused', now, reason), 'attempt.refused', now);
  }
  if (task.verification === 'automatic') {
    const by = { event: 'task.accepted', actor: attempt.worker, paysNow: false } as const;
    return acceptAttempt(aggregate, carrying, by, now);
  }
  return {
    task: { ...task, state: 'delivered' },
    attempts: [{ ...without(carrying, 'claimToken', 'tokenKey', 'leaseEndsAt'), state: 'waiting' }],
    events: [
      {
        at: now,
        event: 'task.delivered',
        state: 'delivered',
        actor: attempt.worker,
        attemptId: attempt.id,
      },
    ],
  };
}

/** Honest failure: the task is back in the queue at once, with no penalty (T7). */
export function giveBack(
  aggregate: TaskAggregate,
  attempt: Attempt,
  reason: string | undefined,
  now: Instant,
): Change {
  return handedBack(aggregate, closed(attempt, 'failed', now, reason), 'attempt.failed', now);
}

function handedBack(
  aggregate: TaskAggregate,
  attempt: Attempt,
  event: 'attempt.refused' | 'attempt.failed',
  now: Instant,
): Change {
  return {
    task: { ...aggregate.task, state: 'open' },
    attempts: [attempt],
    events: [
      {
        at: now,
        event,
        state: 'open',
        actor: attempt.worker,
        attemptId: attempt.id,
        ...defined({ note: attempt.reason }),
      },
    ],
  };
}
