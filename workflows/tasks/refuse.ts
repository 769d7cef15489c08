import { defined } from '../../domain/defined.ts';
import { isRefused, type Refused } from '../../domain/tasks/change.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Instant } from '../../domain/instant.ts';
import { presentNext } from './nextActions.ts';

/** The decision, or the refusal thrown: why, when it may work, and what is legal instead. */
export function orRefuse<T extends object>(
  decision: T | Refused,
  about?: { readonly aggregate: TaskAggregate; readonly now: Instant },
): T {
  if (!isRefused(decision)) return decision;
  const { refused, why, field, allowed, until } = decision;
  const hint = decision.hint ?? (refused === 'not-a-party' ? partiesOf(about) : undefined);
  return refuse(refused, {
    error: why,
    ...defined({ hint, field }),
    ...(allowed !== undefined && { allowed: [...allowed] }),
    ...(until !== undefined &&
      about !== undefined && { retryAfterSeconds: Math.ceil((until - about.now) / 1000) }),
    ...(about !== undefined && { next: nextAfter(refused, about) }),
  });
}

/** Reasons of the caller's own, for which any other call of a worker would be refused as well. */
const OF_WORKER: readonly Refused['refused'][] = [
  ...(['attempts-used', 'claim-cooldown', 'claim-limit', 'self-dealing'] as const),
  ...(['solutions-pending', 'starter-used'] as const),
];

function nextAfter(
  refused: Refused['refused'],
  { aggregate, now }: { readonly aggregate: TaskAggregate; readonly now: Instant },
): ReturnType<typeof presentNext> {
  const next = presentNext(aggregate, now);
  return OF_WORKER.includes(refused) ? next.filter(({ who }) => who !== 'any worker') : next;
}

/** Returns the hint for a caller that is no party of the task: where it reads who may act. */
function partiesOf(about: { readonly aggregate: TaskAggregate } | undefined): string | undefined {
  if (about === undefined) return undefined;
  const { id } = about.aggregate.task;
  return `GET /api/v1/tasks/${id} shows who may act: \`next\`, there and here, names each call and who may take it.`;
}

export function noSuchTask(): never {
  return refuse('not-found', {
    error: 'There is no task with this id.',
    hint: 'GET /api/v1/tasks lists the tasks.',
  });
}
