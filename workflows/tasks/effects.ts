import { strict as assert } from 'node:assert';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { BEFORE_WELCOME } from '../../db/tasks/welcomeGrants.ts';
import type { KarmaCause } from '../../domain/karma.ts';
import { endedUnpaid } from '../../domain/credit.ts';
import { defined } from '../../domain/defined.ts';
import { paidBy } from '../../domain/tasks/change.ts';
import { isQueued, isStarter } from '../../domain/tasks/model.ts';
import { karmaOf } from '../../domain/tasks/karma.ts';
import type { Hub } from '../kernel/hub.ts';
import { readsOfStep } from '../chains/follow.ts';
import { callLoans, readsOfDebts } from '../credit/collect.ts';
import { callDefaults } from '../credit/defaults.ts';
import { readsOfCauses, recordCauses } from '../karma/record.ts';
import { readsOfPanels } from '../validators/cases.ts';
import type { TaskCommit } from './aggregate.ts';
import { readsOfFigures } from './figures.ts';
import { taskLeft, taskOpened } from './claimLines.ts';
import { readsOfMoney, settleMoney, type SettlementResult } from './settle.ts';
import { STARTER_TOPIC, TASK_QUEUE_TOPIC } from '../topics.ts';

/** Applies a decision to standing and money; `more` is the karma of a chain that it completes. */
export function settleChange(
  db: Decider,
  hub: Hub,
  commit: TaskCommit,
  more: readonly KarmaCause[] = [],
): SettlementResult {
  const { change, aggregate, at } = commit;
  const network = aggregate.task.reward?.network;
  lateLoans(db, hub, commit);
  recordCauses(db, hub, [...karmaOf(change), ...more], { at, network });
  return money(db, hub, commit);
}

export function readsOfChange(
  hub: Hub,
  {
    before,
    change,
    actor,
    at,
    holdId,
  }: Omit<TaskCommit, 'before' | 'aggregate'> & Partial<Pick<TaskCommit, 'before'>>,
): readonly Need[] {
  const { task, money: step } = change;
  const event = change.events.at(-1)?.event ?? '';
  const cause = { task, ...defined({ holdId }), event, actor, at };
  const ended = endedUnpaid(change);
  const unpaid = change.attempts.filter(({ id }) => ended.includes(id));
  return [
    ...readsOfCauses(karmaOf(change), at),
    ...(step === undefined ? [] : readsOfMoney(hub, cause, step)),
    ...paidBy(step).map(({ worker }) => need(BEFORE_WELCOME, worker)),
    ...[...new Set(unpaid.map(({ worker }) => worker))].flatMap((one) => readsOfDebts(task, one)),
    ...readsOfPanels(change),
    ...readsOfFigures({ before, change }),
    ...(task.chain === undefined ? [] : readsOfStep(task.chain)),
  ];
}

/** A default of the worker counts before the settlement that pays the loan after all. */
function lateLoans(db: Decider, hub: Hub, { change, aggregate }: TaskCommit): void {
  const { money: step } = change;
  const network = aggregate.task.reward?.network;
  if (network === undefined) return;
  for (const { worker } of paidBy(step)) callDefaults(db, hub, worker, network);
}

/** The last event is the one that money moves for; without a money step the hold stays as it is. */
function money(db: Decider, hub: Hub, commit: TaskCommit): SettlementResult {
  const { change, aggregate, actor, at, holdId } = commit;
  const held = defined({ holdId });
  if (change.money === undefined) return held;
  const event = change.events.at(-1)?.event;
  assert(event !== undefined, 'money moves for an event');
  return settleMoney(db, hub, { task: aggregate.task, ...held, event, actor, at }, change.money);
}

/** Borrowers whose claims ended without pay owe their loans now. */
export function callEnded(
  db: Decider,
  hub: Hub,
  { before, change, aggregate, at }: TaskCommit,
): void {
  const { reward } = aggregate.task;
  if (reward === undefined) return;
  const known = [...change.attempts, ...aggregate.live, ...(before?.aggregate.live ?? [])];
  const ended = endedUnpaid(change);
  for (const borrower of new Set(known.map(({ worker }) => worker))) {
    const own = known.filter(({ id, worker }) => worker === borrower && ended.includes(id));
    const claims = { borrower, network: reward.network, of: own.map(({ id }) => id) };
    callLoans(db, hub, claims, at);
  }
}

/**
 * Wakes the workers that wait for a task, and the job that restocks starter tasks. Polls of this
 * process get the task itself after the commit.
 */
export function wake(
  db: Pick<Decider, 'publish' | 'afterCommit'>,
  hub: Hub,
  { before, aggregate: { task } }: TaskCommit,
): void {
  const was = before?.aggregate.task;
  const isOpen = task.state === 'open' && isQueued(task);
  const wasOpen = was?.state === 'open' && isQueued(was);
  if (isOpen !== wasOpen) {
    if (isOpen) db.publish(TASK_QUEUE_TOPIC);
    db.afterCommit(() => (isOpen ? taskOpened(hub, task) : taskLeft(hub, task)));
  }
  if (isStarter(task) && task.state === 'held') db.publish(STARTER_TOPIC);
}
