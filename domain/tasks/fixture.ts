import { keyAccount, keyIdOf } from '../account.ts';
import type { Account } from '../account.ts';
import type { Verdict } from '../acceptance/rule.ts';
import { instant, plus, seconds } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { atomic } from '../money.ts';
import type { WinnerRef } from './award.ts';
import { applyChange, isRefused } from './change.ts';
import type { Change, Refused } from './change.ts';
import { raise, redraw } from './dispute.ts';
import type { Drawn } from './dispute.ts';
import { settleDue } from './due.ts';
import type { Attempt, Pitch, TaskAggregate, Task } from './model.ts';
import { publish } from './publish.ts';
import type { Draft } from './publish.ts';
import { NO_HISTORY } from './worker.ts';
import type { Worker } from './worker.ts';

/** Tasks, workers and clocks for the table tests of this folder. */
export const T0 = instant(1_800_000_000_000);
export const HOUR = 3_600;
export const DAY = 86_400;

export function at(secondsLater: number): Instant {
  return instant(T0 + secondsLater * 1000);
}

function person(byte: number): Account {
  return keyAccount(keyIdOf(new Uint8Array(32).fill(byte)));
}
export const REQUESTER = person(1);
export const WORKER = person(2);
export const RIVAL = person(3);

export const PASSES: Verdict = { accepted: true };
export const MISSES: Verdict = {
  accepted: false,
  refused: [{ path: '', rule: 'contains.all', expected: 'x', got: 'y', text: 'x is missing' }],
};

/** Publication fields that differ from the usual; `unpaid` leaves the reward out. */
export type Over = Partial<Draft> & { readonly unpaid?: boolean };

export function draft({ unpaid, ...over }: Over = {}): Draft {
  return {
    requester: REQUESTER,
    title: 'Do it',
    ...(unpaid !== true && { rewardAmount: atomic(1_000_000n) }),
    network: 'sandbox',
    ...over,
  };
}

export function published(over: Over = {}): TaskAggregate {
  const change = must(publish(draft(over), 'task', T0));
  return { task: change.task, live: [] };
}

export function someone(account: Account = WORKER, over: Partial<Worker> = {}): Worker {
  return {
    account,
    payee: account,
    linkedToRequester: account === REQUESTER,
    liveClaims: 0,
    karma: 0,
    history: NO_HISTORY,
    starter: 'never',
    didAnotherStep: false,
    ...over,
  };
}

export function attempt(over: Partial<Attempt> = {}): Attempt {
  return {
    id: 'attempt',
    taskId: 'task',
    worker: WORKER,
    payee: WORKER,
    state: 'claimed',
    termsDigest: 'digest',
    startedAt: T0,
    ...(over.state === undefined && { leaseEndsAt: at(1_800), tokenKey: 'key' }),
    ...(over.state === 'waiting' && { deliveredAt: T0, result: { value: 'done' } }),
    ...over,
  };
}

export function held(over: Over = {}): TaskAggregate {
  const aggregate = published(over);
  return { task: { ...aggregate.task, state: 'held', attempts: 1 }, live: [attempt()] };
}

export function delivered(over: Over = {}): TaskAggregate {
  const aggregate = published(over);
  const task: Task = { ...aggregate.task, state: 'delivered', attempts: 1 };
  return { task, live: [attempt({ state: 'waiting' })] };
}

export function offered(workers: readonly Account[], over: Over = {}): TaskAggregate {
  const aggregate = published({ mode: 'open', ...over });
  const live = workers.map((worker, place) =>
    attempt({ id: `solution-${place}`, worker, state: 'waiting', deliveredAt: at(place) }),
  );
  return { task: { ...aggregate.task, attempts: live.length }, live };
}

/** A task that takes pitches: `deal` is how it was published, and `over` changes its state since. */
export const pitchTask = (over: Partial<Task> = {}, deal: Over = {}): Task => ({
  ...published({ tags: ['pitch'], ...deal }).task,
  ...over,
});

export const pitch = (over: Partial<Pitch> = {}): Pitch => ({
  id: 'pitch',
  taskId: 'task',
  worker: WORKER,
  plan: 'So.',
  price: atomic(400_000n),
  createdAt: T0,
  lapsed: false,
  ...over,
});

export const PLACES: Over = { shares: { places: [6_000, 3_000, 1_000] } };

/** A task with a divided reward, and results `a0`, `a1` … of as many workers in that order. */
export function entered(count: number, over: Over = PLACES): TaskAggregate {
  const workers = [WORKER, RIVAL];
  const live = Array.from({ length: count }, (_, nth): Attempt => {
    const worker = workers[nth] ?? (`key:${'x'.repeat(40)}${nth}` as Account);
    const own = { id: `a${nth}`, worker, payee: worker, deliveredAt: at(nth) };
    return attempt({ state: 'waiting', ...own });
  });
  return { ...published(over), live };
}

export function winnersOf(
  aggregate: TaskAggregate,
  ...places: readonly number[]
): readonly WinnerRef[] {
  return places.map((nth) => {
    const id = `a${nth}`;
    const found = aggregate.live.find((each) => each.id === id);
    return { solution: { id, ...(found && { attempt: found }) } };
  });
}

export function acceptedAt(when: Instant, window: number, over: Over = {}): TaskAggregate {
  const aggregate = published({ disputeWindowSeconds: window, ...over });
  const payoutAt = over.unpaid === true ? {} : { payoutAt: plus(when, seconds(window)) };
  const accepted = { attemptId: 'attempt', at: when, ...payoutAt };
  return {
    task: { ...aggregate.task, state: 'accepted', attempts: 1, accepted },
    live: [attempt({ state: 'accepted', result: { value: 'done' } })],
  };
}

export const drawn = (arbiter = RIVAL): Drawn => ({ arbiter, pulseSeq: 8, seed: 'aa', pool: [] });

/** A dispute over an accepted result. */
export function raised(by = REQUESTER, when = T0): TaskAggregate {
  const aggregate = acceptedAt(T0, DAY);
  return applyChange(aggregate, must(raise(aggregate, by, 'made up', when)));
}

/** A dispute whose arbiter is drawn. */
export function seated(by = REQUESTER, when = T0): TaskAggregate {
  const aggregate = raised(by, when);
  return applyChange(aggregate, some(redraw(aggregate, drawn(), when)));
}

export function some<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is no value');
  return value;
}

export function must<T extends object>(decision: T | Refused): T {
  if (isRefused(decision)) throw new Error(`refused: ${decision.refused}, ${decision.why}`);
  return decision;
}

/** Makes each change that is due; the clock comes to rest, whatever waits. */
export function settleAll(
  read: () => TaskAggregate,
  now: Instant,
  make: (change: Change) => void,
): void {
  for (let round = 0; round <= 100; round += 1) {
    const change = settleDue(read(), now);
    if (change === undefined) return;
    make(change);
  }
  throw new Error('the clock does not come to rest');
}

/** One line per decision, so that a table reads like choices tasks.transitions. */
export function summary(aggregate: TaskAggregate, decision: Change | Refused | undefined): string {
  if (decision === undefined) return 'nothing';
  if (isRefused(decision)) return decision.refused;
  const { task, events, money, attempts } = decision;
  const step =
    money === undefined ? '-' : 'from' in money ? `${money.step} ${money.from}` : money.step;
  const ended = attempts.map((each) => each.state).join('+') || '-';
  const names = events.map((event) => event.event).join('+');
  assertWhole(applyChange(aggregate, decision));
  return `${aggregate.task.state}>${task.state} ${ended} ${step} ${names}`;
}

function assertWhole({ task, live }: TaskAggregate): void {
  const count = (state: Attempt['state']): number => live.filter((a) => a.state === state).length;
  const wrong =
    count('claimed') !== (task.state === 'held' ? 1 : 0) ||
    (task.state === 'delivered' && count('waiting') !== 1) ||
    (task.state !== 'open' && task.state !== 'delivered' && count('waiting') > 0);
  if (wrong) throw new Error(`${task.state} with ${live.map((each) => each.state).join(', ')}`);
}
