import { agentOf } from './books.ts';
import { didAnotherStep, isOthersMilestone } from './chains.ts';
import { isDue, settleDue } from './clock.ts';
import { claimsAllowed } from './karma.ts';
import { heldBy } from './settle.ts';
import { DAY, HOUR, type Attempt, type Expected, type Model, type Task } from './types.ts';

/** Claims by id and from the queue (choices tasks.leases, T2, T3). */
const LEASE = 1_800_000;
const HOLDING_MAX = 2 * HOUR;
const COOLDOWN = HOUR;
const FAILS_MAX = 10;
const IGNORED_FOR = 30 * DAY;

/** Tries that count: all but announcements, honest hand-backs and results without a decision. */
export function attemptsSpent(task: Task, worker: number): number {
  const free = ['failed', 'superseded', 'announced'];
  return task.attempts.filter((each) => each.worker === worker && !free.includes(each.state))
    .length;
}

export function areAttemptsUsed(task: Task, worker: number): boolean {
  return attemptsSpent(task, worker) >= task.maxAttempts || failsOf(task, worker) >= FAILS_MAX;
}

export function isCooling(model: Model, task: Task, worker: number): boolean {
  return task.attempts.some(
    (each) =>
      each.worker === worker && each.state === 'lapsed' && model.now < each.leaseEndsAt + COOLDOWN,
  );
}

function liveClaims(model: Model, worker: number): number {
  return [...model.tasks.values()].filter(
    (task) => task.state === 'held' && heldBy(task)?.worker === worker,
  ).length;
}

export interface Asked {
  readonly skills: readonly string[] | undefined;
  readonly payee: number | undefined;
}

export function claim(
  model: Model,
  task: Task,
  worker: number,
  asked: Asked,
  name: string,
): Expected {
  settleDue(model, task);
  const holder = heldBy(task);
  if (task.state === 'held' && holder?.worker === worker) return renewed(model, task, holder);
  const refused = claimRefusal(model, task, worker, asked);
  if (refused !== undefined) return { refused };
  return {
    ok: { 'work.state': 'held', repeated: false },
    made: take(model, task, worker, asked, name),
  };
}

function renewed(model: Model, task: Task, holder: Attempt): Expected {
  holder.leaseEndsAt = Math.max(
    holder.leaseEndsAt,
    Math.min(model.now + LEASE, holder.claimedAt + HOLDING_MAX, task.deadline),
  );
  return { ok: { 'work.state': 'held', repeated: true }, made: holder.name };
}

function claimRefusal(model: Model, task: Task, worker: number, asked: Asked): string | undefined {
  if (task.isThread) return 'thread-only';
  if (task.mode === 'open') return 'wrong-mode';
  if (isOwnSide(task, worker, asked.payee)) return 'self-dealing';
  if (didAnotherStep(model, task, worker)) return 'self-dealing';
  if (task.state === 'held' || task.state === 'delivered') return 'already-claimed';
  if (task.state !== 'open') return 'wrong-state';
  if (task.isPitch && task.chosen?.worker !== worker) {
    return task.reservation === undefined ? 'pitch-required' : 'not-chosen';
  }
  if (isOthersMilestone(model, task, worker)) return 'not-chosen';
  if (!fits(task, asked.skills)) return 'skill-mismatch';
  if (areAttemptsUsed(task, worker)) return 'attempts-used';
  if (isCooling(model, task, worker)) return 'claim-cooldown';
  return isFull(model, worker) ? 'claim-limit' : undefined;
}

/** Makes the worker the holder; an attempt that it announced before is carried on. */
function take(model: Model, task: Task, worker: number, asked: Asked, name: string): string {
  const attempt = begin(model, task, worker, asked.payee, name);
  attempt.state = 'claimed';
  attempt.claimedAt = model.now;
  attempt.leaseEndsAt = Math.min(model.now + LEASE, task.deadline);
  attempt.hadToken = true;
  task.state = 'held';
  task.reservation = undefined;
  return attempt.name;
}

/** The attempt that a worker starts now, or the one that it announced. */
export function begin(
  model: Model,
  task: Task,
  worker: number,
  payee: number | undefined,
  name: string,
): Attempt {
  const announced = task.attempts.find(
    (each) => each.worker === worker && each.state === 'announced',
  );
  if (announced !== undefined) {
    announced.payee = payee ?? worker;
    return announced;
  }
  const attempt: Attempt = {
    name,
    task: task.name,
    worker,
    payee: payee ?? worker,
    state: 'announced',
    claimedAt: model.now,
    leaseEndsAt: 0,
    deliveredAt: 0,
    isGood: false,
    panel: undefined,
    hadToken: false,
  };
  task.attempts.push(attempt);
  return attempt;
}

/** No requester pays itself: neither the worker nor its payee may be the requester. */
export function isOwnSide(task: Task, worker: number, payee: number | undefined): boolean {
  return task.requester === worker || task.requester === payee;
}

function fits(task: Task, skills: readonly string[] | undefined): boolean {
  return skills === undefined || task.skills.every((skill) => skills.includes(skill));
}

function isFull(model: Model, worker: number): boolean {
  return liveClaims(model, worker) >= claimsAllowed(agentOf(model, worker));
}

/**
 * The queue: best paid first, then oldest. Last come tasks that the worker handed back before, and
 * those of a requester who decides alone and left a delivery undecided (choices tasks.queue).
 */
export function claimNext(
  model: Model,
  worker: number,
  asked: Asked & { readonly minReward: bigint | undefined },
  name: string,
): Expected {
  const all = [...model.tasks.values()];
  for (const task of all.filter(({ state }) => state === 'held')) settleDue(model, task);
  if (isFull(model, worker)) return { refused: 'claim-limit' };
  const offers = all
    .filter((task) => isOffered(model, task, worker, asked))
    .sort((a, b) => rank(model, a, b, worker));
  // One that the clock has ended is passed over, and ends when it is read or by its job.
  const task = offers.find((offer) => !isDue(model, offer));
  if (task === undefined) return { ok: { work: null } };
  const made = take(model, task, worker, asked, name);
  return { ok: { 'work.state': 'held', task: task.name }, made };
}

function isOffered(
  model: Model,
  task: Task,
  worker: number,
  asked: Asked & { readonly minReward: bigint | undefined },
): boolean {
  return (
    task.state === 'open' &&
    task.mode === 'exclusive' &&
    task.reward > 0n &&
    task.reward >= (asked.minReward ?? 0n) &&
    !task.isThread &&
    !task.isPitch &&
    !isOwnSide(task, worker, asked.payee) &&
    !didAnotherStep(model, task, worker) &&
    !isOthersMilestone(model, task, worker) &&
    fits(task, asked.skills) &&
    !areAttemptsUsed(task, worker) &&
    !isCooling(model, task, worker)
  );
}

function rank(model: Model, a: Task, b: Task, worker: number): number {
  const last = Number(isLast(model, a, worker)) - Number(isLast(model, b, worker));
  if (last !== 0) return last;
  if (a.reward !== b.reward) return a.reward > b.reward ? -1 : 1;
  return a.order - b.order;
}

function isLast(model: Model, task: Task, worker: number): boolean {
  const restsOnRequester = task.verification !== 'automatic' && task.autoAccept === undefined;
  return failsOf(task, worker) > 0 || (restsOnRequester && isIgnoring(model, task.requester));
}

function isIgnoring(model: Model, requester: number): boolean {
  return agentOf(model, requester).karma.some(
    ({ why, at }) => why === 'delivery.ignored' && at >= model.now - IGNORED_FOR,
  );
}

function failsOf(task: Task, worker: number): number {
  return task.attempts.filter((each) => each.worker === worker && each.state === 'failed').length;
}
