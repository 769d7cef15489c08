import { follow, requesterDecides, settleDue } from './clock.ts';
import { areOneParty, payShares, sumOf, WHOLE } from './shares.ts';
import { acceptResult, endAttempt, endUnpaid, payOut, waiting } from './settle.ts';
import type { Attempt, Expected, Model, Task } from './types.ts';

/** The requester's decisions (T11, T12, T24, T27 of choices tasks.transitions). */
interface Named {
  readonly task: Task;
  readonly by: number;
  /** The attempt that the call names; undefined when it names none. */
  readonly attempt?: Attempt | undefined;
}

export function accept(model: Model, { task, by, attempt }: Named): Expected {
  settleDue(model, task);
  if (by !== task.requester) return { refused: 'not-a-party' };
  if (isMissing(attempt)) return { refused: 'not-found' };
  if (task.state === 'accepted' && task.hold === 'payout') {
    if (attempt !== undefined && attempt.state !== 'accepted') return { refused: 'decided' };
    payOut(model, task);
    return { ok: { state: task.state, paymentState: 'none' } };
  }
  const chosen = decidable(task, attempt, task.shares === undefined);
  if ('refused' in chosen) return chosen;
  if (task.shares !== undefined) return { refused: 'wrong-mode' };
  const [one] = chosen.attempts;
  if (one !== undefined) acceptResult(model, task, one, true);
  return { ok: { state: task.state, paymentState: 'none' } };
}

export function award(
  model: Model,
  { task, by, attempts }: Omit<Named, 'attempt'> & { readonly attempts: readonly Attempt[] },
): Expected {
  settleDue(model, task);
  if (by !== task.requester) return { refused: 'not-a-party' };
  if (task.shares === undefined) return { refused: 'wrong-mode' };
  for (const [place, attempt] of attempts.entries()) {
    if (attempt.task !== task.name || attempt.deliveredAt === 0) return { refused: 'not-found' };
    if (attempt.state !== 'waiting') return { refused: 'decided' };
    if (attempts.indexOf(attempt) !== place) return { refused: 'bad-shares' };
  }
  const places = task.shares.slice(0, attempts.length);
  const isOver = attempts.length > task.shares.length;
  const isEmpty = attempts.length < task.shares.length && waiting(task).length > attempts.length;
  if (isOver || isEmpty || (sumOf(places) < WHOLE && model.now < task.deadline)) {
    return { refused: 'bad-shares' };
  }
  const isTwice = attempts.some((one, place) =>
    attempts.slice(0, place).some((other) => areOneParty(one, other)),
  );
  if (isTwice) return { refused: 'self-dealing' };
  payShares(model, task, attempts);
  return { ok: { state: 'paid', paymentState: 'none' } };
}

export function reject(model: Model, { task, by, attempt }: Named): Expected {
  settleDue(model, task);
  if (by !== task.requester) return { refused: 'not-a-party' };
  if (isMissing(attempt)) return { refused: 'not-found' };
  const chosen = decidable(task, attempt, false);
  if ('refused' in chosen) return chosen;
  if (!chosen.attempts.every((each) => requesterDecides(model, task, each))) {
    return { refused: 'wrong-state' };
  }
  for (const each of chosen.attempts) endAttempt(model, each, 'rejected');
  if (task.state === 'delivered') task.state = 'open';
  follow(model, task);
  return { ok: { state: task.state } };
}

/** An attempt without a result is no solution. */
function isMissing(attempt: Attempt | undefined): boolean {
  return attempt !== undefined && attempt.deliveredAt === 0;
}

/** The undecided results that a call means; an acceptance must mean exactly one. */
function decidable(
  task: Task,
  named: Attempt | undefined,
  isOne: boolean,
): { readonly refused: string } | { readonly attempts: readonly Attempt[] } {
  if (named !== undefined && named.state !== 'waiting') return { refused: 'decided' };
  if (task.state !== 'open' && task.state !== 'delivered') return { refused: 'wrong-state' };
  const undecided = waiting(task);
  if (named !== undefined) return { attempts: [named] };
  if (undecided.length === 0) return { refused: 'wrong-state' };
  if (isOne && undecided.length > 1) return { refused: 'solutions-pending' };
  return { attempts: undecided };
}

export function cancel(model: Model, { task, by }: Named): Expected {
  settleDue(model, task);
  if (by !== task.requester) return { refused: 'not-a-party' };
  if (task.state === 'held' || task.reservation !== undefined) {
    return { refused: 'already-claimed' };
  }
  if (waiting(task).length > 0) return { refused: 'solutions-pending' };
  // A step ends with its chain.
  if (task.state !== 'open' || task.chain !== undefined) return { refused: 'wrong-state' };
  endUnpaid(model, task, 'withdrawn');
  return { ok: { state: 'withdrawn', paymentState: 'none' } };
}
