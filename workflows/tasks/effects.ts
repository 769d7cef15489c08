import { strict as assert } from 'node:assert';
import { decideIn } from '../../db/declared/inside.ts';
import type { Need } from '../../db/declared/table.ts';
import type { Decider } from '../../db/declared/unit.ts';
import type { Writer } from '../../db/store.ts';
import type { KarmaCause } from '../../domain/karma.ts';
import { endedUnpaid } from '../../domain/credit.ts';
import { defined } from '../../domain/defined.ts';
import { isQueued, isStarter } from '../../domain/task/model.ts';
import { karmaOf } from '../../domain/task/karma.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { followStep, karmaOfStep, noteStep, type Followed } from '../chains/follow.ts';
import { callLoans, readsOfDebts } from '../credit/collect.ts';
import { callDefaults } from '../credit/defaults.ts';
import { readsOfCauses, recordCauses } from '../karma/record.ts';
import { followPanels } from '../validators/cases.ts';
import type { TaskCommit } from './aggregate.ts';
import { taskLeft, taskOpened } from './claimLines.ts';
import { readsOfMoney, settleMoney, type SettlementResult } from './settle.ts';
import { noteWelcome } from './welcome.ts';
import { STARTER_TOPIC, TASK_QUEUE_TOPIC } from '../topics.ts';

/** What the money and the chain became. */
export interface Applied {
  readonly settlement: SettlementResult;
  readonly chain?: Followed;
}

/**
 * Everything that a task's change does elsewhere: karma before money, so that no house account is
 * locked while standing is read; the task's own tables behind the money, whose holds they name;
 * panels, loans and the welcome line behind the tables that they read; the chain last, because it
 * commits the task of its next step.
 */
export async function applyEffects(
  tx: Writer,
  hub: Hub,
  commit: TaskCommit,
  save: (moved: SettlementResult) => Promise<void>,
): Promise<Applied> {
  const { before, change, aggregate, at } = commit;
  const ofChain =
    before?.chain && (await karmaOfStep(tx, before.chain, before.aggregate.task, aggregate));
  const moved = await decideIn(tx, {
    needs: [],
    decide: (db) => settleChange(db, hub, commit, ofChain),
  });
  await save(moved);
  await followPanels(tx, hub, change, at);
  await decideIn(tx, { needs: [], decide: (db) => callEnded(db, hub, commit) });
  await noteWelcome(tx, change, at);
  wake(tx, hub, commit);
  const chain = await followChain(tx, hub, commit, moved);
  return { settlement: moved, ...defined({ chain }) };
}

/** What a decision does to standing and money; `more` is the karma of a chain that it completes. */
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

/** What `settleChange` and `callEnded` look up in the common cases. */
export function readsOfChange(
  hub: Hub,
  { change, actor, at, holdId }: Omit<TaskCommit, 'before' | 'aggregate'>,
): readonly Need[] {
  const { task, money: step } = change;
  const event = change.events.at(-1)?.event ?? '';
  const cause = { task, ...defined({ holdId }), event, actor, at };
  const worker = change.attempts[0]?.worker;
  return [
    ...readsOfCauses(karmaOf(change), at),
    ...(step === undefined ? [] : readsOfMoney(hub, cause, step)),
    ...(worker === undefined || endedUnpaid(change).length === 0 ? [] : readsOfDebts(task, worker)),
  ];
}

/** A default of the worker counts before the settlement that pays the loan after all. */
function lateLoans(db: Decider, hub: Hub, { change, aggregate }: TaskCommit): void {
  const { money: step } = change;
  const network = aggregate.task.reward?.network;
  if (network === undefined || step === undefined || !('attempt' in step)) return;
  callDefaults(db, hub, step.attempt.worker, network);
}

/** The last event is the one that money moves for; without a money step the hold stays as it is. */
function money(db: Decider, hub: Hub, commit: TaskCommit): SettlementResult {
  const { before, change, aggregate, actor, at } = commit;
  const holdId = commit.holdId ?? before?.holdId;
  const held = holdId === undefined ? {} : { holdId };
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
 * Wakes the workers that wait for a task, and the job that keeps starter tasks in stock. Those who
 * wait in this process are told of the task itself as soon as it is committed.
 */
export function wake(
  tx: Pick<Writer, 'publish' | 'afterCommit'>,
  hub: Hub,
  { before, aggregate: { task } }: TaskCommit,
): void {
  const isOpen = task.state === 'open';
  const wasOpen = before?.aggregate.task.state === 'open';
  if (isOpen !== wasOpen && isQueued(task)) {
    if (isOpen) tx.publish(TASK_QUEUE_TOPIC);
    tx.afterCommit(() => (isOpen ? taskOpened(hub, task) : taskLeft(hub, task)));
  }
  if (isStarter(task) && task.state === 'held') tx.publish(STARTER_TOPIC);
}

/** Takes the chain on: what was spent is counted, its next step opens or what is left goes back. */
async function followChain(
  tx: Writer,
  hub: Hub,
  { before, change, aggregate, at }: TaskCommit,
  { refunded: back }: SettlementResult,
): Promise<Followed | undefined> {
  if (before === undefined) await noteStep(tx, aggregate.task);
  if (before?.chain === undefined) return undefined;
  const turn = {
    was: before.aggregate.task,
    is: aggregate.task,
    change,
    ...defined({ back }),
  };
  return followStep(tx, hub, before.chain, turn, at);
}
