import type { AgreedSplit, Amendment, TermChange } from '../../domain/tasks/agreement.ts';
import { TASK_STATES } from '../../domain/tasks/model.ts';
import { defined } from '../../domain/defined.ts';
import * as column from '../batch/columns.ts';
import { STAYS } from '../batch/personal.ts';
import { list } from '../batch/list.ts';
import { parentIn } from '../batch/need.ts';
import { shaped, table } from '../batch/table.ts';
import { TASKS } from './taskRow.ts';

/** Changes of terms, made or proposed; at most `AMENDMENTS_MAX` of one task. */
export const AMENDMENTS = shaped(
  table(
    'task_amendments',
    {
      id: column.text().key(),
      taskId: column.text().fixed(),
      madeBy: column.account().fixed(),
      revision: column.integer().fixed(),
      taskState: column.oneOf(TASK_STATES).fixed(),
      attemptId: column.text().fixed().optional(),
      rewardAmount: column.amount().fixed().optional(),
      deadline: column.moment().fixed().optional(),
      clarification: column.text().fixed().optional(),
      leaseSeconds: column.integer().fixed().optional(),
      renewForSeconds: column.integer().fixed().optional(),
      workerAmount: column.amount().fixed().optional(),
      refundAmount: column.amount().fixed().optional(),
      state: column.oneOf(['proposed', 'applied', 'refused', 'withdrawn']).guard(),
      createdAt: column.moment().fixed(),
      endedAt: column.moment().optional(),
      endedBy: column.account().optional(),
      digest: column.text().optional(),
    },
    {
      personal: { owner: 'made_by', order: ['id'], stays: STAYS.paid },
      lock: 'none',
      parent: parentIn(TASKS, ({ taskId }: { readonly taskId: string }) => taskId),
    },
  ),
  {
    of({ madeBy: by, workerAmount, refundAmount, ...row }): Amendment {
      const { rewardAmount, deadline, clarification, leaseSeconds, renewForSeconds, ...kept } = row;
      const change: TermChange = defined({
        rewardAmount,
        deadline,
        clarification,
        leaseSeconds,
        renewForSeconds,
      });
      const split: AgreedSplit | undefined =
        workerAmount === undefined || refundAmount === undefined
          ? undefined
          : { workerAmount, refundAmount };
      return { ...kept, by, ...(split === undefined ? { change } : { split }) };
    },
    flat: ({ by: madeBy, change, split, ...row }) => ({ ...row, madeBy, ...change, ...split }),
  },
);

/** Oldest first; a task has at most `AMENDMENTS_MAX`. */
export const SHOWN_AMENDMENTS = list('shown_amendments', AMENDMENTS, {
  by: { taskId: column.text() },
  parent: parentIn(TASKS, (taskId: string) => taskId),
  where: ({ taskId }) => `t.task_id = ${taskId}`,
  order: 't.id',
});
