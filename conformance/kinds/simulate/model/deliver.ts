import { areAttemptsUsed, attemptsSpent, begin, isOwnSide } from './claims.ts';
import { follow, settleDue } from './clock.ts';
import { acceptResult, endAttempt, heldBy, waiting } from './settle.ts';
import type { Attempt, Expected, Model, Task } from './types.ts';

/** Results and hand-backs (T4 to T7, T14 to T17 of choices tasks.transitions). */
export function submit(model: Model, task: Task, named: Named, good: boolean): Expected {
  settleDue(model, task);
  const refused = tokenRefusal(task, named);
  const attempt = heldBy(task);
  if (refused !== undefined || attempt === undefined) return { refused: refused ?? 'claim-token' };
  return delivered(model, task, attempt, good);
}

interface Named {
  readonly attempt: Attempt;
  readonly by: number;
}

/** A spent token is `claim-token`, a lapsed one `lease-over`, a delivered one `wrong-state`. */
function tokenRefusal(task: Task, { attempt, by }: Named): string | undefined {
  if (!attempt.hadToken) return 'claim-token';
  if (attempt.worker !== by) return 'not-a-party';
  switch (attempt.state) {
    case 'claimed':
      return undefined;
    case 'lapsed':
      return 'lease-over';
    case 'waiting':
    case 'accepted':
      return 'wrong-state';
    case 'announced':
    case 'refused':
    case 'rejected':
    case 'failed':
    case 'superseded':
      return 'claim-token';
  }
}

function delivered(model: Model, task: Task, attempt: Attempt, good: boolean): Expected {
  attempt.deliveredAt = model.now;
  attempt.isGood = good;
  if (task.rule && !good) {
    endAttempt(model, attempt, 'refused');
    if (task.mode === 'exclusive') task.state = 'open';
    follow(model, task);
    return outcome(task, attempt, 'refused');
  }
  if (task.verification === 'automatic') {
    acceptResult(model, task, attempt, false);
    return outcome(task, attempt, 'accepted');
  }
  attempt.state = 'waiting';
  if (task.mode === 'exclusive') task.state = 'delivered';
  follow(model, task);
  // Silence of no seconds accepts in this very call.
  settleDue(model, task);
  return outcome(task, attempt, attempt.state);
}

function outcome(task: Task, attempt: Attempt, word: string): Expected {
  const left = Math.max(0, task.maxAttempts - attemptsSpent(task, attempt.worker));
  return { ok: { outcome: word, state: task.state, attemptsLeft: left }, made: attempt.name };
}

export function fail(model: Model, task: Task, named: Named): Expected {
  settleDue(model, task);
  const refused = tokenRefusal(task, named);
  if (refused !== undefined) return { refused };
  endAttempt(model, named.attempt, 'failed');
  task.state = 'open';
  follow(model, task);
  return { ok: { state: task.state } };
}

export function start(model: Model, task: Task, worker: number, name: string): Expected {
  settleDue(model, task);
  if (task.isThread) return { refused: 'thread-only' };
  if (task.state !== 'open') return { refused: 'wrong-state' };
  if (model.now >= task.deadline) return { refused: 'deadline' };
  if (task.requester === worker) return { refused: 'self-dealing' };
  return { ok: { state: 'open' }, made: begin(model, task, worker, undefined, name).name };
}

export function solve(
  model: Model,
  task: Task,
  worker: number,
  offer: { readonly good: boolean; readonly payee: number | undefined },
  name: string,
): Expected {
  settleDue(model, task);
  const refused = solveRefusal(task, worker, offer.payee, model.now >= task.deadline);
  if (refused !== undefined) return { refused };
  return delivered(model, task, begin(model, task, worker, offer.payee, name), offer.good);
}

function solveRefusal(
  task: Task,
  worker: number,
  payee: number | undefined,
  isLate: boolean,
): string | undefined {
  if (task.isThread) return 'thread-only';
  if (task.mode === 'exclusive') return 'wrong-mode';
  if (task.state !== 'open') return 'wrong-state';
  if (isLate) return 'deadline';
  if (isOwnSide(task, worker, payee)) return 'self-dealing';
  if (areAttemptsUsed(task, worker)) return 'attempts-used';
  const pending = waiting(task).some((attempt) => attempt.worker === worker);
  return pending ? 'solutions-pending' : undefined;
}
