import { LAPSE_KARMA } from '../../../domain/karma.ts';
import { leaseOf } from '../../../domain/tasks/lease.ts';
import { EXPIRY_COOLDOWN } from '../../../domain/tasks/limits.ts';
import { isThread, type Task } from '../../../domain/tasks/model.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

/** The cost of silence is part of every task that can be claimed (choices tasks.leases). */
export function presentLease(task: Task): Pick<Schemas['Task'], 'lease'> {
  if (task.mode === 'open' || isThread(task)) return {};
  return {
    lease: { ...leaseOf(task), lapseKarma: LAPSE_KARMA, lapseWaitSeconds: EXPIRY_COOLDOWN },
  };
}
