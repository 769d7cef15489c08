import { FALLBACK_AFTER, followPanels } from './cases.ts';
import { followChain } from './chains.ts';
import { disputeClock } from './disputeClock.ts';
import { because, giveKarma } from './karma.ts';
import { divideBySilence } from './shares.ts';
import { acceptResult, endAttempt, endUnpaid, heldBy, payOut, waiting } from './settle.ts';
import { HOUR, type Attempt, type Chain, type Model, type Task } from './types.ts';

/** Transitions that time makes (T8, T13, T19, T25, T26, T28 of choices tasks.transitions). */
const REQUESTER_SILENT_AFTER = 72 * HOUR;

export function settleDue(model: Model, task: Task): boolean {
  let changed = false;
  while (applyOne(model, task)) {
    changed = true;
    follow(model, task);
  }
  return changed;
}

/** Takes panels and the chain on, after each change of a task. */
export function follow(model: Model, task: Task): void {
  followPanels(model, task);
  const { chain } = task;
  const found = chain && model.chains.get(chain.name);
  if (found !== undefined) followChain(model, found);
}

/** The same for the step whose turn it is, and for the one that follows when that was accepted. */
export function settleTurn(model: Model, chain: Chain): void {
  for (let step = chain.opened.at(-1); step !== undefined;) {
    settleDue(model, step);
    const next = chain.opened.at(-1);
    step = next === step ? undefined : next;
  }
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
  giveKarma(model, attempt.worker, -5, because(task, 'task.lapsed'));
  task.state = 'open';
  return true;
}

function freeReservation(model: Model, task: Task): boolean {
  const { reservation } = task;
  if (task.state !== 'open' || reservation === undefined) return false;
  // At the deadline it ends with the task, and costs nothing (choices tasks.pitching).
  if (model.now < reservation.until || reservation.until >= task.deadline) return false;
  reservation.pitch.state = 'lapsed';
  task.chosen = undefined;
  task.reservation = undefined;
  giveKarma(model, reservation.pitch.worker, -2, because(task, 'pitch.unclaimed'));
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
  if (divideBySilence(model, task)) return true;
  for (const { worker } of undecided) {
    giveKarma(model, task.requester, -2, {
      ...because(task, 'delivery.ignored'),
      counterparty: worker,
    });
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

/** A decision that time makes, and the job of the scheduler that applies it. */
interface Due {
  readonly at: number;
  readonly job: Clockwork;
}

export const CLOCKWORK = [
  'leaseExpiry',
  'autoAccept',
  'payoutRelease',
  'disputeVoid',
  'deadlineExpiry',
] as const;
type Clockwork = (typeof CLOCKWORK)[number];

/** The earliest decision that time makes on a live task; undefined when none will be. */
export function nextDue(task: Task): Due | undefined {
  const dues: Due[] = [];
  const add = (at: number, job: Clockwork): void => void dues.push({ at, job });
  const claimed = heldBy(task);
  if (task.state === 'held' && claimed !== undefined) add(claimed.leaseEndsAt, 'leaseExpiry');
  if (task.reservation !== undefined) add(task.reservation.until, 'leaseExpiry');
  if (task.state === 'accepted' && task.hold === 'payout') add(task.payoutAt, 'payoutRelease');
  if (task.state === 'disputed' && task.dispute !== undefined) {
    add(task.dispute.until, 'disputeVoid');
  }
  for (const { deliveredAt } of waiting(task)) {
    for (const at of ripeAt(task, deliveredAt)) add(at, 'autoAccept');
  }
  if (task.state === 'open' && waiting(task).length === 0) add(task.deadline, 'deadlineExpiry');
  if (waiting(task).length > 0 && isIgnorable(task)) {
    add(task.deadline + REQUESTER_SILENT_AFTER, 'deadlineExpiry');
  }
  return dues.sort((a, b) => a.at - b.at)[0];
}

export function isDue(model: Model, task: Task): boolean {
  return (nextDue(task)?.at ?? Infinity) <= model.now;
}

/** When silence decides on a result. */
function ripeAt(task: Task, deliveredAt: number): readonly number[] {
  const since = silentSince(task, deliveredAt);
  if (task.autoAccept !== undefined) return [since + task.autoAccept * 1000];
  return task.verification === 'validator' ? [since + REQUESTER_SILENT_AFTER] : [];
}
