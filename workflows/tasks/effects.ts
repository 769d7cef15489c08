import { strict as assert } from 'node:assert';
import type { Writer } from '../../db/store.ts';
import { endedUnpaid } from '../../domain/credit.ts';
import { defined } from '../../domain/defined.ts';
import { isQueued, isStarter } from '../../domain/task/model.ts';
import { karmaOf } from '../../domain/task/karma.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { followStep, karmaOfStep, noteStep, type Followed } from '../chains/follow.ts';
import { callLoans } from '../credit/collect.ts';
import { callDefaults } from '../credit/defaults.ts';
import { recordCauses } from '../karma/record.ts';
import { followPanels } from '../validators/cases.ts';
import type { TaskCommit } from './aggregate.ts';
import { taskLeft, taskOpened } from './claimLines.ts';
import { settleMoney, type SettlementResult } from './settle.ts';
import { noteWelcome } from './welcome.ts';
import { STARTER_TOPIC, TASK_QUEUE_TOPIC } from '../topics.ts';

/** What the money and the chain became. */
export interface Applied {
  readonly settlement: SettlementResult;
  readonly chain?: Followed;
}

/**
 * Everything that a task's change does elsewhere, in the one order in which its locks are taken:
 * karma before money, so that no house account is locked while standing is read; the task's own
 * tables behind the money, whose holds they name; panels, loans and the welcome line behind the
 * tables that they read; the chain last, because it commits the task of its next step. `plain.ts`
 * has those of a plain decision.
 */
export async function applyEffects(
  tx: Writer,
  hub: Hub,
  commit: TaskCommit,
  save: (moved: SettlementResult) => Promise<void>,
): Promise<Applied> {
  const { change, at } = commit;
  await lateLoans(tx, hub, commit);
  await karma(tx, hub, commit);
  const moved = await money(tx, hub, commit);
  await save(moved);
  await followPanels(tx, hub, change, at);
  await loans(tx, hub, commit);
  await noteWelcome(tx, change, at);
  wake(tx, hub, commit);
  const chain = await followChain(tx, hub, commit, moved);
  return { settlement: moved, ...defined({ chain }) };
}

/** A default of the worker counts before the settlement that pays the loan after all. */
async function lateLoans(tx: Writer, hub: Hub, { change, aggregate }: TaskCommit): Promise<void> {
  const { money } = change;
  const network = aggregate.task.reward?.network;
  if (network === undefined || money === undefined || !('attempt' in money)) return;
  await callDefaults(tx, hub, money.attempt.worker, network);
}

/** Standing that the decision earns or costs, that of a completed chain included. */
async function karma(
  tx: Writer,
  hub: Hub,
  { before, change, aggregate, at }: TaskCommit,
): Promise<void> {
  const ofChain =
    before?.chain && (await karmaOfStep(tx, before.chain, before.aggregate.task, aggregate));
  const causes = [...karmaOf(change), ...(ofChain ?? [])];
  await recordCauses(tx, hub, causes, { at, network: aggregate.task.reward?.network });
}

/** The last event is the one that money moves for; without a money step the hold stays as it is. */
async function money(tx: Writer, hub: Hub, commit: TaskCommit): Promise<SettlementResult> {
  const { before, change, aggregate, actor, at } = commit;
  const holdId = commit.holdId ?? before?.holdId;
  const held = holdId === undefined ? {} : { holdId };
  if (change.money === undefined) return held;
  const event = change.events.at(-1)?.event;
  assert(event !== undefined, 'money moves for an event');
  return settleMoney(tx, hub, { task: aggregate.task, ...held, event, actor, at }, change.money);
}

/** A borrower whose task ended without pay owes its loan now. */
async function loans(tx: Writer, hub: Hub, { change, aggregate, at }: TaskCommit): Promise<void> {
  if (aggregate.task.reward !== undefined) await callLoans(tx, hub, endedUnpaid(change), at);
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
