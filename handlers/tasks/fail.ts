import { need } from '../../db/batch/need.ts';
import { TASKS } from '../../db/tasks/taskTables.ts';
import { giveBack, usable } from '../../domain/task/deliver.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { attemptOfToken } from '../../workflows/tasks/deliver.ts';
import { settledTask } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor } from '../../workflows/tasks/worker.ts';
import { presentChange } from './present/change.ts';

/** Transition T7: honest failure; the task is back in the queue at once. */
export const fail: Handler<'tasks.fail'> = takesNonce(async (call, hub) => {
  const { id } = call.path;
  const { claimToken, reason } = call.body;
  const { account } = actor(call.caller, call.body);
  const body = await hub.transact(call, {
    needs: [need(TASKS, id)],
    decide(db) {
      const known = settledTask(db, hub, id);
      const { aggregate } = known;
      const now = hub.clock.now();
      const found = attemptOfToken(db, id, claimToken);
      const attempt = orRefuse(usable(aggregate, found, account, now), { aggregate, now });
      const change = giveBack(aggregate, attempt, reason, now);
      const committed = commitChange(db, hub, known, change, { actor: account, at: now });
      return { ...presentChange(committed, change, { now, by: account }), repeated: false };
    },
  });
  return { status: 200, body };
});
