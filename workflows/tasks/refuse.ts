import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { isRefused, type Refused } from '../../domain/tasks/change.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { presentNextFor } from './nextActions.ts';
import { encode } from '../kernel/encode.ts';

/** The decision, or the refusal thrown: why, when it may work, and what is legal instead. */
export function orRefuse<T extends object>(
  decision: T | Refused,
  about?: { readonly hub: Hub; readonly aggregate: TaskAggregate; readonly by: Account },
): T {
  if (!isRefused(decision)) return decision;
  const { refused, why, field, allowed, until } = decision;
  const hint = decision.hint ?? (refused === 'not-a-party' ? partiesOf(about) : undefined);
  return refuse(refused, {
    error: why,
    ...defined({ hint, field }),
    ...(allowed !== undefined && { allowed: [...allowed] }),
    ...(until !== undefined &&
      about !== undefined && {
        retryAfterSeconds: Math.ceil((until - about.hub.clock.now()) / 1000),
      }),
    ...(about !== undefined && {
      next: encode('TaskNext', presentNextFor(about.hub, about.aggregate, about.by)),
    }),
  });
}

/** Returns the hint for a caller that is no party of the task: where it reads who may act. */
function partiesOf(about: { readonly aggregate: TaskAggregate } | undefined): string | undefined {
  if (about === undefined) return undefined;
  const { id } = about.aggregate.task;
  return `GET /api/v1/tasks/${id} names the requester and the workers, who may act; \`next\` here has the calls that are yours.`;
}

export function noSuchTask(): never {
  return refuse('not-found', {
    error: 'There is no task with this id.',
    hint: 'GET /api/v1/tasks lists the tasks.',
  });
}
