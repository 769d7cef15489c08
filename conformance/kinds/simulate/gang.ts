import { agentOf, spendableOf } from './model/books.ts';
import type { Numbered, Operation } from './model/operations.ts';
import { isUnpaid, loansOf } from './model/loans.ts';
import { heldBy } from './model/settle.ts';
import type { Model, Task } from './model/types.ts';
import { tasksWhere, type SimulationFixture } from './fixture.ts';

/**
 * Agents that live on advances: one claims work of an accomplice, borrows, pays the money away and
 * gives the work back, so that the escrow is free again (choices credit.shares).
 */
const ACCOMPLICE = 4;
const THIEVES = [5, 6, 7, 8, 9, 10, 11];
const BAIT = 10_000_000n;
/** The advance that a key without standing gets. */
const ADVANCE = 3_300_000n;

/** The first operations of a town of a gang: more of them borrow at once than one address may. */
export function firstRaid(moneyOf: (by: number) => bigint): readonly Numbered[] {
  return THIEVES.flatMap((by): readonly Numbered[] => {
    const n = -1_000 + by * 10;
    const task = `t${n}`;
    return [
      { ...bait(), n },
      { do: 'claim', by, task, n: n + 1 },
      { do: 'borrow', by, task, n: n + 2 },
      { do: 'pay', by, to: ACCOMPLICE, amount: moneyOf(by) + ADVANCE, key: 'away', n: n + 3 },
      { do: 'fail', by, attempt: `a${n + 1}`, n: n + 4 },
    ];
  });
}

function bait(): Extract<Operation, { readonly do: 'publish' }> {
  const terms = { rule: true, tags: [], skills: [], reward: BAIT, mode: 'exclusive' } as const;
  return { do: 'publish', by: ACCOMPLICE, terms: { ...terms, window: 0 } };
}

export function raid(fixture: SimulationFixture): Operation {
  const { model, random } = fixture;
  const busy = THIEVES.filter((by) => workOf(model, by) !== undefined);
  const by = busy.length > 0 ? random.pick(busy) : random.pick(THIEVES);
  const task = workOf(model, by);
  const attempt = task && heldBy(task);
  if (task === undefined || attempt === undefined) return lure(fixture, by);
  const purse = spendableOf(agentOf(model, by));
  const loan = loansOf(model, by).find((each) => each.attempt === attempt.name);
  if (loan === undefined && random.chance(80)) return { do: 'borrow', by, task: task.name };
  if (purse > 0n && random.chance(90)) {
    const key = `away ${random.below(1_000_000)}`;
    return { do: 'pay', by, to: ACCOMPLICE, amount: purse, key };
  }
  return { do: 'fail', by, attempt: attempt.name };
}

function workOf(model: Model, by: number): Task | undefined {
  return [...model.tasks.values()].find((task) => {
    const attempt = heldBy(task);
    return task.state === 'held' && attempt?.worker === by && attempt.leaseEndsAt > model.now;
  });
}

/** Mostly an escrow that nothing was lent against yet. */
function lure(fixture: SimulationFixture, by: number): Operation {
  const { model, random } = fixture;
  const isSpent = ({ name }: Task): boolean =>
    model.loans.some((loan) => loan.task === name && isUnpaid(loan));
  const open = tasksWhere(
    fixture,
    (task) =>
      task.requester === ACCOMPLICE &&
      task.mode === 'exclusive' &&
      task.state === 'open' &&
      task.reward === BAIT &&
      (!isSpent(task) || random.chance(10)),
  )[0];
  return open === undefined ? bait() : { do: 'claim', by, task: open.name };
}
