import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { claimed, type TaskAggregate } from '../../domain/tasks/model.ts';
import { legalActions, type LegalAction } from '../../domain/tasks/next.ts';
import { actionsFor, ownActions } from '../../domain/tasks/offered.ts';
import type { Worker } from '../../domain/tasks/worker.ts';
import type { Schemas } from '../kernel/answered.ts';
import type { Hub } from '../kernel/hub.ts';
import { claimToken } from './claimToken.ts';

/** The calls that a task allows next; answers and refusals name the same ones. */
type TaskNext = Schemas['TaskNext'];

export function taskPath(id: string, verb: string): string {
  return `/api/v1/tasks/${id}/${verb}`;
}

export function presentActions(taskId: string, actions: readonly LegalAction[]): TaskNext {
  // The hub's own accounts sign nothing, so what they may do is no offer.
  const signed = actions.filter(({ who }) => !who.startsWith('hub:'));
  return signed.map(({ action, who, verb, body, isRead, until, note }) => ({
    action,
    who,
    call:
      isRead === true
        ? { method: 'GET', path: taskPath(taskId, verb) }
        : { method: 'POST', path: taskPath(taskId, verb), body: { ...body } },
    until,
    ...defined({ note }),
  }));
}

/** Leaves the reader its own calls, and a reader that is not known the calls of all. */
export function ofReader(
  actions: readonly LegalAction[],
  account: Account | undefined,
): readonly LegalAction[] {
  return account === undefined ? actions : ownActions(actions, { account });
}

/** The calls of every role, for an answer to an unsigned call. */
export function presentNext(aggregate: TaskAggregate, now: Instant): TaskNext {
  return presentActions(aggregate.task.id, legalActions(aggregate, now));
}

/** The calls that the account of an answer may make now; `worker` where it was looked up. */
export function presentNextFor(
  hub: Hub,
  aggregate: TaskAggregate,
  account: Account,
  worker?: Worker,
): TaskNext {
  const now = hub.clock.now();
  const held = claimed(aggregate);
  const token = held?.worker === account ? claimToken(hub, held).claimToken : undefined;
  const reader = { account, ...defined({ worker, claimToken: token }) };
  return presentActions(aggregate.task.id, actionsFor(aggregate, now, reader));
}
