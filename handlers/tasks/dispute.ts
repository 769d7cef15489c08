import { strict as assert } from 'node:assert';
import { need } from '../../db/batch/need.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import { DISPUTES } from '../../db/tasks/disputes.ts';
import { raise } from '../../domain/tasks/dispute.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { withDispute } from '../../workflows/tasks/dispute.ts';
import { settleAll, settledTask } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { presentDispute } from './present/dispute.ts';

/** Transition T20: the payout is frozen, and an arbiter drawn in the same transaction. */
export const dispute: Handler<'tasks.dispute'> = async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const body = await hub.transactOnce(call, {
    needs: [need(TASKS, id), need(DISPUTES, id)],
    decide(db) {
      const known = settledTask(db, hub, id);
      const aggregate = withDispute(db, known.aggregate);
      const now = hub.clock.now();
      const change = orRefuse(raise(aggregate, account, call.body.reason, now), {
        hub,
        aggregate,
        by: account,
      });
      const raised = commitChange(db, hub, known, change, { actor: account, at: now });
      const drawn = settleAll(db, hub, raised, now);
      assert(drawn.aggregate.dispute !== undefined, 'what was raised is there');
      return presentDispute(drawn.aggregate.task, drawn.aggregate.dispute, undefined, account);
    },
  });
  return { status: 200, body };
};
