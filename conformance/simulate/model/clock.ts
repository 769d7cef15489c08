import { followChain } from './chains.ts';
import { disputeClock } from './disputes.ts';
import { giveKarma } from './karma.ts';
import { acceptResult, endAttempt, endUnpaid, heldBy, payOut, waiting } from './settle.ts';
import { HOUR, type Attempt, type Model, type Task } from './types.ts';

/** Transitions that time makes (T8, T13, T19, T25, T26 of choices 2.3); pulled before any look. */
const FALLBACK_AFTER = 6 * HOUR;
const REQUESTER_SILENT_AFTER = 72 * HOUR;

/** Applies everything due on a task, until nothing is. */
export function settleDue(model: Model, task: Task): boolean {
  let changed = false;
  while (applyOne(model, task)) {
    changed = true;
    follow(model, task);
  }
  return changed;
}

/** Takes the chain on, after each change of one of its steps. */
export function follow(model: Model, { chain }: Task): void {
  const found = chain && model.chains.get(chain.name);
  if (found !== undefined) followChain(model, found);
}

function applyOne(model: Model, task: Task): boolean {
  return (
    lapse(model, task) ||
    freeReservation(model, task) ||
    autoAccept(model, task) ||
    panelSilent(model, task) ||
    release(model, task) ||
    disputeClock(model, task) ||
    ignored(model, task) ||
    expire(model, task)
  );
}

function lapse(model: Model, task: Task): boolean {
  const attempt = task.state === 'held' ? heldBy(task) : undefined;
  if (attempt === undefined || model.now < attempt.leaseEndsAt) return false;
  endAttempt(model, attempt, 'lapsed');
  giveKarma(model, attempt.worker, -5, 'task.lapsed', task.requester);
  task.state = 'open';
  return true;
}

function freeReservation(model: Model, task: Task): boolean {
  const { reservation } = task;
  if (task.state !== 'open' || reservation === undefined) return false;
  // At the deadline it ends with the task, and costs nothing (CHOICES 14, pitches).
  if (model.now < reservation.until || reservation.until >= task.deadline) return false;
  reservation.pitch.state = 'lapsed';
  task.chosen = undefined;
  task.reservation = undefined;
  giveKarma(model, reservation.pitch.worker, -2, 'pitch.unclaimed', task.requester);
  return true;
}

/** Whether the requester decides: always, or after the panel was silent for six hours. */
export function requesterDecides(model: Model, task: Task, attempt: Attempt): boolean {
  if (task.verification !== 'validator') return true;
  return model.now >= silentSince(task, attempt.deliveredAt);
}

/** From when on silence is the requester's: a panel has its time first. */
function silentSince({ verification }: Task, deliveredAt: number): number {
  return deliveredAt + (verification === 'validator' ? FALLBACK_AFTER : 0);
}

function autoAccept(model: Model, task: Task): boolean {
  const after = task.autoAccept;
  if (after === undefined) return false;
  const ripe = waiting(task)
    .filter(({ deliveredAt }) => model.now >= silentSince(task, deliveredAt) + after * 1000)
    .sort((a, b) => a.deliveredAt - b.deliveredAt)[0];
  if (ripe === undefined) return false;
  acceptResult(model, task, ripe, false);
  return true;
}

function panelSilent(model: Model, task: Task): boolean {
  if (task.verification !== 'validator' || task.autoAccept !== undefined) return false;
  const silence = FALLBACK_AFTER + REQUESTER_SILENT_AFTER;
  const late = waiting(task).filter((attempt) => model.now >= attempt.deliveredAt + silence);
  for (const attempt of late) endAttempt(model, attempt, 'superseded');
  if (late.length > 0 && task.state === 'delivered') task.state = 'open';
  return late.length > 0;
}

function release(model: Model, task: Task): boolean {
  if (task.state !== 'accepted' || task.hold !== 'payout') return false;
  if (model.now < task.payoutAt) return false;
  payOut(model, task);
  return true;
}

function ignored(model: Model, task: Task): boolean {
  const undecided = waiting(task);
  if (undecided.length === 0 || !isIgnorable(task)) return false;
  if (model.now < task.deadline + REQUESTER_SILENT_AFTER) return false;
  for (const { worker } of undecided) {
    giveKarma(model, task.requester, -2, 'delivery.ignored', worker);
  }
  endUnpaid(model, task, 'expired');
  return true;
}

/** The time of a panel and of its fallback is not cut short, and silence may mean acceptance. */
function isIgnorable(task: Task): boolean {
  return task.autoAccept === undefined && task.verification !== 'validator';
}

function expire(model: Model, task: Task): boolean {
  if (task.state !== 'open' || model.now < task.deadline || waiting(task).length > 0) return false;
  endUnpaid(model, task, 'expired');
  return true;
}

/** The earliest moment at which time changes a live task; undefined when none will. */
export function nextDue(task: Task): number | undefined {
  const times: number[] = [];
  const claimed = heldBy(task);
  if (task.state === 'held' && claimed !== undefined) times.push(claimed.leaseEndsAt);
  if (task.reservation !== undefined) times.push(task.reservation.until);
  if (task.state === 'accepted' && task.hold === 'payout') times.push(task.payoutAt);
  if (task.state === 'disputed' && task.dispute !== undefined) times.push(task.dispute.until);
  for (const { deliveredAt } of waiting(task)) times.push(...ripeAt(task, deliveredAt));
  if (task.state === 'open' && waiting(task).length === 0) times.push(task.deadline);
  if (waiting(task).length > 0 && isIgnorable(task)) {
    times.push(task.deadline + REQUESTER_SILENT_AFTER);
  }
  return times.length === 0 ? undefined : Math.min(...times);
}

/** When silence decides on a result. */
function ripeAt(task: Task, deliveredAt: number): readonly number[] {
  const since = silentSince(task, deliveredAt);
  if (task.autoAccept !== undefined) return [since + task.autoAccept * 1000];
  return task.verification === 'validator' ? [since + REQUESTER_SILENT_AFTER] : [];
}
