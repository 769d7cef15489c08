import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { TASKS } from '../../db/tasks/taskTables.ts';
import { PITCH_NAMED } from '../../db/tasks/pitches.ts';
import { HISTORIES } from '../../db/tasks/workerLookups.ts';
import { choosePitch } from '../../domain/task/pitch.ts';
import type { NamedPitch } from '../../domain/task/pitch.ts';
import { NO_HISTORY } from '../../domain/task/worker.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { settledTask } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { presentChange } from './present/change.ts';

/**
 * Transition T18: the plan's author has an hour to claim, and what its price leaves over is free at
 * once.
 */
export const choose: Handler<'tasks.choose'> = takesNonce(async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const body = await hub.transactOnce(call, {
    needs: [need(TASKS, id), need(PITCH_NAMED, { taskId: id, id: call.body.pitchId })],
    decide(db) {
      const known = settledTask(db, hub, id);
      const { aggregate } = known;
      const now = hub.clock.now();
      const named = namedPitch(db, id, call.body.pitchId);
      const change = orRefuse(choosePitch(aggregate.task, account, named, now), { aggregate, now });
      const committed = commitChange(db, hub, known, change, { actor: account, at: now });
      return presentChange(committed, change, { now, by: account });
    },
  });
  return { status: 200, body };
});

function namedPitch(db: Decider, taskId: string, id: string): NamedPitch | undefined {
  const [pitch] = db.list(PITCH_NAMED, { taskId, id });
  if (pitch === undefined) return undefined;
  const history = db.find(HISTORIES, { account: pitch.worker, taskId }) ?? NO_HISTORY;
  return { pitch, history };
}
