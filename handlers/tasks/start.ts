import { need } from '../../db/batch/need.ts';
import { TASKS } from '../../db/tasks/taskTables.ts';
import { defined } from '../../domain/defined.ts';
import { announce, announceRefusal } from '../../domain/tasks/solve.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { settledTask } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor, readsOfWorker, workerIn } from '../../workflows/tasks/worker.ts';
import { presentChange } from './present/change.ts';

/** Transition T17: says so in public and locks nothing. */
export const start: Handler<'tasks.start'> = async (call, hub) => {
  const { id: taskId } = call.path;
  const who = actor(call.caller, call.body);
  const { account } = who;
  const body = await hub.transactOnce(call, {
    needs: [need(TASKS, taskId), ...readsOfWorker(who, { taskId })],
    decide(db) {
      const known = settledTask(db, hub, taskId);
      const { aggregate } = known;
      const now = hub.clock.now();
      const { worker, announced } = workerIn(db, who, aggregate.task, { taskId });
      const refusal = announceRefusal(aggregate, worker, now);
      if (refusal !== undefined) orRefuse(refusal, { hub, aggregate, by: account });
      const offer = { worker, attemptId: db.newId(hub.ids), ...defined({ announced }) };
      const change = announce(aggregate, offer, now);
      const committed = commitChange(db, hub, known, change, { actor: account, at: now });
      const shown = presentChange(committed, change, { hub, by: account });
      return { ...shown, repeated: announced !== undefined };
    },
  });
  return { status: 200, body };
};
