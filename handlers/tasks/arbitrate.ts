import { strict as assert } from 'node:assert';
import { need } from '../../db/batch/need.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import { DISPUTES } from '../../db/tasks/disputes.ts';
import { defined } from '../../domain/defined.ts';
import { arbitrate as decide } from '../../domain/tasks/dispute.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { noSuchDispute, withDispute } from '../../workflows/tasks/dispute.ts';
import { settledTask } from '../../workflows/tasks/due.ts';
import { presentNextFor } from '../../workflows/tasks/nextActions.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { noteRuling } from '../../workflows/validators/ruling.ts';
import { presentDispute } from './present/dispute.ts';

/** Transitions T21 and T22: the arbiter's word, and the money with it. */
export const arbitrate: Handler<'tasks.arbitrate'> = async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const { verdict, workerShareBps, resolution } = call.body;
  const body = await hub.transactOnce(call, {
    needs: [need(TASKS, id), need(DISPUTES, id)],
    decide(db) {
      const known = settledTask(db, hub, id);
      const aggregate = withDispute(db, known.aggregate);
      if (aggregate.dispute === undefined) return noSuchDispute();
      const now = hub.clock.now();
      const request = { verdict, ...defined({ workerShareBps, resolution }) };
      const change = orRefuse(decide(aggregate, account, request, now), {
        hub,
        aggregate,
        by: account,
      });
      noteRuling(db, change.task, now);
      const ruled = commitChange(db, hub, known, change, { actor: account, at: now });
      const stored = db.find(DISPUTES, id);
      assert(stored !== undefined, 'what was ruled on is there');
      return {
        taskId: id,
        state: ruled.aggregate.task.state,
        dispute: presentDispute(ruled.aggregate.task, stored.dispute, stored.money, account),
        next: presentNextFor(hub, ruled.aggregate, account),
      };
    },
  });
  return { status: 200, body };
};
