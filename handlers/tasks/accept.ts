import { need } from '../../db/batch/need.ts';
import { TASKS } from '../../db/tasks/taskTables.ts';
import { accept as decide } from '../../domain/task/decide.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { settledTask } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { namedSolution } from '../../workflows/tasks/solution.ts';
import { presentChange } from './present/change.ts';

/** Transition T11: acceptance and payment are one step. */
export const accept: Handler<'tasks.accept'> = takesNonce(async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const body = await hub.transactOnce(call, {
    needs: [need(TASKS, id)],
    decide(db) {
      const known = settledTask(db, hub, id);
      const { aggregate } = known;
      const now = hub.clock.now();
      const named = namedSolution(db, id, call.body.solutionId);
      const change = orRefuse(decide(aggregate, account, named, now), { aggregate, now });
      const committed = commitChange(db, hub, known, change, { actor: account, at: now });
      return presentChange(committed, change, { now, by: account });
    },
  });
  return { status: 200, body };
});
