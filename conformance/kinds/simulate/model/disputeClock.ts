import { because, giveKarma } from './karma.ts';
import { eligibleFor, poolOf } from './seats.ts';
import { payOut } from './settle.ts';
import { HOUR, type Attempt, type Dispute, type Model, type Task } from './types.ts';

const RULING_TIME = 24 * HOUR;

/** Applies time to a dispute: an arbiter who is late, a draw in a later hour, the end. */
export function disputeClock(model: Model, task: Task): boolean {
  const open = task.dispute;
  if (task.state !== 'disputed' || open === undefined || model.now < open.until) return false;
  if (open.arbiter !== undefined) {
    open.late.push(open.arbiter);
    giveKarma(model, open.arbiter, -1, because(task, 'arbiter.late'));
  }
  if (model.now >= open.voidAt) {
    open.state = 'void';
    payOut(model, task, false);
    return true;
  }
  draw(model, task, open);
  return true;
}

/** Draws, or tries again in an hour. */
export function draw(model: Model, task: Task, open: Dispute): void {
  const winner = winnerOf(task);
  const parties = [task.requester, winner?.worker, winner?.payee, ...task.judges, ...open.late];
  const pool = poolOf(model, eligibleFor(model, task, parties));
  const patience = pool.length === 0 ? HOUR : RULING_TIME;
  open.arbiter = undefined;
  open.awaited = pool.length === 0 ? undefined : pool;
  open.until = Math.min(model.now + patience, open.voidAt);
}

export function winnerOf(task: Task): Attempt | undefined {
  return task.attempts.find(({ state }) => state === 'accepted');
}
