import type { Task } from '../types.ts';

type Attempt = Task['workers'][number];

/** The last moment to which signs of life keep a claim. */
export function keptUntil(
  { lease, deadline }: Pick<Task, 'lease' | 'deadline'>,
  { startedAt }: Pick<Attempt, 'startedAt'>,
): string {
  const last = Date.parse(startedAt) + (lease?.renewForSeconds ?? 0) * 1000;
  return new Date(Math.min(last, Date.parse(deadline))).toISOString();
}
