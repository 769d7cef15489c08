import { strict as assert } from 'node:assert';
import type { KarmaCause } from '../karma.ts';
import { paidBy } from './change.ts';
import type { Change, EventName, TaskEvent } from './change.ts';
import { loserOf } from './dispute.ts';
import { isTrial } from './model.ts';
import type { Attempt } from './model.ts';

/**
 * Returns the karma of a decision about a task (choices tasks.transitions, karma.entries).
 * Invariant: it follows from the change alone, so it is written in the one transaction that makes
 * the change so. Karma is of who signed: a payee neither earns nor loses any.
 */
export function karmaOf(change: Change): readonly KarmaCause[] {
  return change.events.flatMap((event) => CAUSES[event.event]?.(change, event) ?? []);
}

type Causes = (change: Change, event: TaskEvent) => readonly KarmaCause[];

const CAUSES: Partial<Record<EventName, Causes>> = {
  'task.paid': (change, event) => {
    const { requester } = change.task;
    const { worker } = attemptOf(change, event);
    const once = { ref: refOf(change), occasion: change.task.id };
    const ofWorker = {
      subject: worker,
      counterparty: requester,
      reason: 'task.paid.worker',
    } as const;
    // A task is paid once, by however many winners it is shared.
    if (event.attemptId !== change.task.accepted?.attemptId) return [{ ...once, ...ofWorker }];
    return [
      { ...once, ...ofWorker },
      { ...once, subject: requester, counterparty: worker, reason: 'task.paid.requester' },
    ];
  },
  'attempt.lapsed': (change, event) => {
    // A trial has no waiting requester; letting one lapse costs the try.
    if (isTrial(change.task)) return [];
    const { id: occasion, worker: subject } = attemptOf(change, event);
    const counterparty = change.task.requester;
    return [{ subject, counterparty, ref: refOf(change), occasion, reason: 'claim.lapsed' }];
  },
  'pitch.lapsed': (change, { actor: subject, at }) => {
    assert(subject !== undefined, 'a task is reserved for a worker');
    const counterparty = change.task.requester;
    const occasion = `${change.task.id} ${at}`;
    return [{ subject, counterparty, ref: refOf(change), occasion, reason: 'pitch.unclaimed' }];
  },
  'panel.accepted': (change) => judgesOf(change),
  'panel.rejected': (change, event) => {
    const { id: occasion, worker: subject } = attemptOf(change, event);
    const counterparty = change.task.requester;
    const cause = { subject, counterparty, ref: refOf(change), occasion } as const;
    return [{ ...cause, reason: 'panel.rejected' }, ...judgesOf(change)];
  },
  'dispute.ruled': (change, event) => ruledOn(change, event),
  'dispute.late': ({ task }, { actor: subject }) => {
    assert(subject !== undefined, 'an arbiter was drawn');
    const ref = { kind: 'dispute', id: task.id } as const;
    const counterparty = task.requester;
    return [{ subject, counterparty, ref, occasion: task.id, reason: 'arbiter.late' }];
  },
  'delivery.ignored': (change, event) => {
    const { id: occasion, worker: counterparty } = attemptOf(change, event);
    const subject = change.task.requester;
    return [{ subject, counterparty, ref: refOf(change), occasion, reason: 'delivery.ignored' }];
  },
};

/** The arbiter is paid out of the requester's escrow, so that is its counterparty. */
function ruledOn(change: Change, event: TaskEvent): readonly KarmaCause[] {
  const { task, dispute } = change;
  const arbiter = dispute?.arbiter;
  assert(dispute !== undefined && arbiter !== undefined, 'a ruling is of a dispute');
  const { worker } = attemptOf(change, event);
  const loser = loserOf(dispute, task.requester, worker);
  const about = { ref: { kind: 'dispute', id: task.id }, occasion: task.id } as const;
  const ruled = { ...about, subject: arbiter, counterparty: task.requester } as const;
  const gain: KarmaCause = { ...ruled, reason: 'arbiter.ruled' };
  if (loser === undefined) return [gain];
  const counterparty = loser === worker ? task.requester : worker;
  return [gain, { ...about, subject: loser, counterparty, reason: 'dispute.lost' }];
}

/** A lone judge had no other judge to agree with (choices validators.record). */
function judgesOf({ panel, task }: Change): readonly KarmaCause[] {
  assert(panel !== undefined, 'a panel is named with what it decided');
  if (panel.size === 1) return [];
  const { roundId, verdict, votes } = panel;
  return votes.map((vote) => ({
    subject: vote.account,
    counterparty: task.requester,
    ref: { kind: 'round', id: roundId },
    occasion: roundId,
    reason: vote.verdict === verdict ? 'judge.agreed' : 'judge.disagreed',
  }));
}

function refOf({ task }: Change): KarmaCause['ref'] {
  return { kind: 'task', id: task.id };
}

function attemptOf({ attempts, money }: Change, { attemptId, event }: TaskEvent): Attempt {
  const found = [...attempts, ...paidBy(money)].find(({ id }) => id === attemptId);
  assert(found !== undefined, `${event} names an attempt of its change`);
  return found;
}
