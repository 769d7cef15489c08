import type { components } from '../../generated/types.ts';

type TaskState = components['schemas']['TaskState'];

/** Every state of a task, in the order of its life: what a list of tasks can be filtered by. */
export const TASK_STATES = [
  'open',
  'held',
  'delivered',
  'accepted',
  'disputed',
  'paid',
  'refunded',
  'withdrawn',
  'expired',
] as const satisfies readonly TaskState[];
