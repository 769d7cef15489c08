import { need } from '../../db/batch/need.ts';
import { TASKS } from '../../db/tasks/taskTables.ts';
import { defined } from '../../domain/defined.ts';
import { reject as decide } from '../../domain/task/decide.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { settledTask } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { namedSolution } from '../../workflows/tasks/solution.ts';
import { presentChange } from './present/change.ts';

/** Transition T12: the task stays open and its reward stays held. */
export const reject: Handler<'tasks.reject'> = takesNonce(async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const { reason, solutionId } = call.body;
  const body = await hub.transact(call, {
    needs: [need(TASKS, id)],
    decide(db) {
      const known = settledTask(db, hub, id);
      const { aggregate } = known;
      const now = hub.clock.now();
      const solution = namedSolution(db, id, solutionId);
      const request = { reason, ...defined({ solution }) };
      const change = orRefuse(decide(aggregate, account, request, now), { aggregate, now });
      const committed = commitChange(db, hub, known, change, { actor: account, at: now });
      return { ...presentChange(committed, change, { now, by: account }), repeated: false };
    },
  });
  return { status: 200, body };
});
