import { strict as assert } from 'node:assert';
import type { KarmaCause } from '../karma.ts';
import type { Change, EventName, TaskEvent } from './change.ts';
import type { Attempt } from './model.ts';

/**
 * What a decision about a task does to standing (choices 2.3, 4.3). Invariant: it follows from the
 * change alone, so it is written in the one transaction that makes the change so. Karma is of who
 * signed: a payee neither earns nor loses any.
 */
export function karmaOf(change: Change): readonly KarmaCause[] {
  return change.events.flatMap((event) => CAUSES[event.event]?.(change, event) ?? []);
}

type Causes = (change: Change, event: TaskEvent) => readonly KarmaCause[];

/** Events that are not here change nobody's standing. */
const CAUSES: Partial<Record<EventName, Causes>> = {
  'task.paid': (change, event) => {
    const { requester } = change.task;
    const { worker } = attemptOf(change, event);
    const once = { ref: refOf(change), occasion: change.task.id };
    return [
      { ...once, subject: worker, counterparty: requester, reason: 'task.paid.worker' },
      { ...once, subject: requester, counterparty: worker, reason: 'task.paid.requester' },
    ];
  },
  'attempt.lapsed': (change, event) => {
    const { id: occasion, worker: subject } = attemptOf(change, event);
    const counterparty = change.task.requester;
    return [{ subject, counterparty, ref: refOf(change), occasion, reason: 'claim.lapsed' }];
  },
  'pitch.lapsed': (change, { actor: subject, at }) => {
    assert(subject !== undefined, 'a task is reserved for somebody');
    const counterparty = change.task.requester;
    const occasion = `${change.task.id} ${at}`;
    return [{ subject, counterparty, ref: refOf(change), occasion, reason: 'pitch.unclaimed' }];
  },
  'delivery.ignored': (change, event) => {
    const { id: occasion, worker: counterparty } = attemptOf(change, event);
    const subject = change.task.requester;
    return [{ subject, counterparty, ref: refOf(change), occasion, reason: 'delivery.ignored' }];
  },
};

function refOf({ task }: Change): KarmaCause['ref'] {
  return { kind: 'task', id: task.id };
}

function attemptOf({ attempts, money }: Change, { attemptId, event }: TaskEvent): Attempt {
  const released = money?.step === 'release' ? [money.attempt] : [];
  const found = [...attempts, ...released].find(({ id }) => id === attemptId);
  assert(found !== undefined, `${event} names an attempt of its change`);
  return found;
}
