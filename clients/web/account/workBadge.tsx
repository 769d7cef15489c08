import { StateBadge } from '../parts/stateBadge.tsx';
import type { Got } from '../types.ts';

type Item = Got<'/api/v1/me/work'>['work'][number];

/**
 * Own work has the state that its task has everywhere else. A result that the task does not follow,
 * such as one of several, has its own.
 */
export function WorkBadge({ item: { taskState, attemptState } }: { readonly item: Item }) {
  return attemptState === undefined || FOLLOWED.includes(attemptState) ? (
    <StateBadge of="task" state={taskState} />
  ) : (
    <StateBadge of="attempt" state={attemptState} />
  );
}

const FOLLOWED: readonly NonNullable<Item['attemptState']>[] = ['claimed', 'accepted'];
