import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { iso, type Instant } from '../../domain/instant.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import { legalActions, type LegalAction } from '../../domain/tasks/next.ts';
import type { components } from '../../generated/types.ts';

/** The calls that a task allows next; answers and refusals name the same ones. */
type TaskNext = components['schemas']['TaskNext'];

export function taskPath(id: string, verb: string): string {
  return `/api/v1/tasks/${id}/${verb}`;
}

export function presentActions(taskId: string, actions: readonly LegalAction[]): TaskNext {
  return actions.map(({ action, who, verb, body, until, note }) => ({
    action,
    who,
    call: { method: 'POST', path: taskPath(taskId, verb), body: { ...body } },
    ...(until !== undefined && { until: iso(until) }),
    ...defined({ note }),
  }));
}

/** `reader` is the account that is answered, where it is known. */
export function presentNext(aggregate: TaskAggregate, now: Instant, reader?: Account): TaskNext {
  return presentActions(aggregate.task.id, legalActions(aggregate, now, reader));
}
