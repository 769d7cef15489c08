import { PITCHES } from '../../db/tasks/pitches.ts';
import { need } from '../../db/batch/need.ts';
import { TASKS } from '../../db/tasks/taskTables.ts';
import { defined } from '../../domain/defined.ts';
import { offerPitch } from '../../domain/task/pitch.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { settledTask } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor, readsOfWorker, workerIn } from '../../workflows/tasks/worker.ts';
import { presentPitch } from './present/pitch.ts';

/** Transition T18: a plan, and a price that is at most the reward. */
export const pitch: Handler<'tasks.pitch'> = takesNonce(async (call, hub) => {
  const { id: taskId } = call.path;
  const { plan, price } = call.body;
  const who = actor(call.caller, call.body);
  const { account } = who;
  const body = await hub.transact(call, {
    needs: [
      ...[need(TASKS, taskId), need(PITCHES, { taskId, worker: account })],
      ...readsOfWorker(who, { taskId }),
    ],
    decide(db) {
      const known = settledTask(db, hub, taskId);
      const { task } = known.aggregate;
      const now = hub.clock.now();
      const standing = db.find(PITCHES, { taskId, worker: account });
      const { worker } = workerIn(db, who, task, { taskId });
      const id = db.newId(hub.ids);
      const request = { id, worker, plan, ...defined({ price, standing }) };
      const change = orRefuse(offerPitch(task, request, now), { aggregate: known.aggregate, now });
      const { aggregate } = commitChange(db, hub, known, change, { actor: account, at: now });
      return presentPitch(change.offered, aggregate.task);
    },
  });
  return { status: 200, body };
});
