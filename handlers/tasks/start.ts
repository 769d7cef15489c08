import { need } from '../../db/batch/need.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import { defined } from '../../domain/defined.ts';
import { heartbeat, notHolding } from '../../domain/tasks/lease.ts';
import { claimed } from '../../domain/tasks/model.ts';
import { announce, announceRefusal } from '../../domain/tasks/solve.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { settledTask } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor, readsOfWorker, workerIn } from '../../workflows/tasks/worker.ts';
import { presentChange } from './present/change.ts';

/**
 * Transition T17: announces the work in public and locks nothing. Of the holder it is the sign of
 * life that renews its lease (T3).
 */
export const start: Handler<'tasks.start'> = async (call, hub) => {
  const { id: taskId } = call.path;
  const who = actor(call.caller, call.body);
  const { account } = who;
  const { percent, note } = call.body ?? {};
  const report = defined({ percent, note });
  const body = await hub.transactOnce(call, {
    needs: [need(TASKS, taskId), ...readsOfWorker(who, { taskId })],
    decide(db) {
      const known = settledTask(db, hub, taskId);
      const { aggregate } = known;
      const now = hub.clock.now();
      if (claimed(aggregate)?.worker === account) {
        const change = heartbeat(aggregate, report, now);
        const committed = commitChange(db, hub, known, change, { actor: account, at: now });
        return { ...presentChange(committed, change, { hub, by: account }), repeated: false };
      }
      const { worker, announced } = workerIn(db, who, aggregate.task, { taskId });
      const refusal = announceRefusal(aggregate, worker, now);
      const reports = Object.keys(report).length > 0 ? notHolding(aggregate) : undefined;
      const why = refusal ?? reports;
      if (why !== undefined) orRefuse(why, { hub, aggregate, by: account });
      const offer = { worker, attemptId: db.newId(hub.ids), ...defined({ announced }) };
      const change = announce(aggregate, offer, now);
      const committed = commitChange(db, hub, known, change, { actor: account, at: now });
      const shown = presentChange(committed, change, { hub, by: account });
      return { ...shown, repeated: announced !== undefined };
    },
  });
  return { status: 200, body };
};
