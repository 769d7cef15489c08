import { strict as assert } from 'node:assert';
import { DEBTORS } from '../../db/credit/loans.ts';
import { need, type Need } from '../../db/declared/table.ts';
import type { Decider } from '../../db/declared/unit.ts';
import { KARMA_SHOWN, KARMA_TOTALS } from '../../db/karma/declared.ts';
import { plannedEntry } from '../../db/karma/record.ts';
import { TASKS, type KnownTask } from '../../db/tasks/declared.ts';
import { BEFORE_WELCOME } from '../../db/tasks/workersDeclared.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { fullWorth, type KarmaMoney } from '../../domain/karma.ts';
import type { Change } from '../../domain/task/change.ts';
import { karmaOf } from '../../domain/task/karma.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { peopleOf } from '../karma/record.ts';
import type { Committed } from './aggregate.ts';
import { commitPlain, NotPlain } from './plain.ts';
import { plainMoney, type PlainMoney } from './plainMoney.ts';

/** A decision as it is expected before the unit that makes it, with what moves and who gains. */
export interface Foreseen {
  readonly actor: Account;
  readonly at: Instant;
  /** What holds the reward by then. */
  readonly holdId?: KnownTask['holdId'];
  readonly change: Change;
  /** What standing on the network of its reward is worth. */
  readonly money: KarmaMoney;
}

export interface PlainChange {
  readonly needs: readonly Need[];
  /** Commits what was decided, when that takes the step of money which was foreseen. */
  commit(db: Decider, before: KnownTask | undefined, change: Change, at: Instant): Committed;
}

/** What a unit needs that is to commit a decision about a task, and the commit. */
export function plainChange(hub: Hub, foreseen: Foreseen): PlainChange {
  const { actor, change } = foreseen;
  const moves = movesOf(hub, foreseen);
  const standing = standingOf(hub, foreseen);
  const worker = change.attempts[0]?.worker;
  return {
    needs: [
      need(TASKS, change.task.id),
      ...(worker === undefined ? [] : [need(DEBTORS, worker), need(BEFORE_WELCOME, worker)]),
      ...standing.needs,
      ...(moves?.needs ?? []),
    ],
    commit(db, before, decided, at) {
      if (!isForeseen(foreseen, before, decided, at)) throw new NotPlain();
      if (worker !== undefined) mustOweNothing(db, worker, decided);
      return commitPlain(db, hub, { actor, at, before, change: decided }, () => {
        standing.give(db, at);
        return moves === undefined ? defined({ holdId: before?.holdId }) : moves.move(db, at);
      });
    },
  };
}

function movesOf(hub: Hub, { actor, at, holdId, change }: Foreseen): PlainMoney | undefined {
  if (change.money === undefined) return undefined;
  const event = change.events.at(-1)?.event;
  assert(event !== undefined, 'money moves for an event');
  const cause = { task: change.task, ...defined({ holdId }), event, actor, at };
  return plainMoney(hub, cause, change.money);
}

/** The same money goes the same way, on the same day, and no other attempt is changed. */
function isForeseen(
  { at: expectedAt, holdId, change: expected }: Foreseen,
  before: KnownTask | undefined,
  decided: Change,
  at: Instant,
): boolean {
  const { reward, judges } = decided.task;
  const payee = (change: Change): Account | undefined => change.attempts[0]?.payee;
  return (
    decided.money?.step === expected.money?.step &&
    before?.holdId === holdId &&
    reward?.amount === expected.task.reward?.amount &&
    judges.length === expected.task.judges.length &&
    payee(decided) === payee(expected) &&
    decided.attempts.length === expected.attempts.length &&
    decided.attempts.length <= 1 &&
    utcDay(at) === utcDay(expectedAt)
  );
}

/** Loans are collected, and the line of the welcome bonus is entered, in free units. */
function mustOweNothing(db: Decider, worker: Account, { money }: Change): void {
  const isOwing = db.find(DEBTORS, worker) !== undefined;
  const isPaid = money?.step === 'reserve' || money?.step === 'release';
  if (isOwing || (isPaid && db.find(BEFORE_WELCOME, worker) !== undefined)) throw new NotPlain();
}

/** What the decision does to standing; of one account only once in a batch. */
function standingOf(
  hub: Hub,
  { change, at, money }: Foreseen,
): { readonly needs: readonly Need[]; give(db: Decider, at: Instant): void } {
  const entries = peopleOf(karmaOf(change))
    .filter(({ reason }) => fullWorth(reason, money) !== 0)
    .map((cause) => ({
      ...plannedEntry(cause, { id: hub.ids.uuid(), at, money }),
      subject: cause.subject,
    }));
  return {
    needs: entries.flatMap(({ needs }) => needs),
    give(db, now) {
      for (const { subject, decide } of entries) {
        if (db.find(KARMA_TOTALS, subject)?.isChanged === true) throw new NotPlain();
        const delta = decide(db, now);
        if (delta !== undefined && delta !== 0) db.put(KARMA_SHOWN, subject, subject);
      }
    },
  };
}
