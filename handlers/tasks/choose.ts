import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { PITCH_NAMED } from '../../db/tasks/pitches.ts';
import { HISTORIES } from '../../db/tasks/workerLookups.ts';
import { choosePitch } from '../../domain/tasks/pitch.ts';
import type { NamedPitch } from '../../domain/tasks/pitch.ts';
import { NO_HISTORY } from '../../domain/tasks/worker.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { decideOn } from '../../workflows/tasks/decideOn.ts';
import { presentChange } from './present/change.ts';

/** Transition T18: the author has an hour to claim; what its price leaves over is free at once. */
export const choose: Handler<'tasks.choose'> = async (call, hub) => {
  const { id } = call.path;
  const { account: by } = call.caller;
  const named = { taskId: id, id: call.body.pitchId };
  const choosing = decideOn(
    hub,
    {
      id,
      by,
      needs: [need(PITCH_NAMED, named)],
      decide: ({ task }, now, db) => choosePitch(task, by, namedPitch(db, named), now),
    },
    ({ committed, change }) => presentChange(committed, change, { hub, by }),
  );
  return { status: 200, body: await hub.transactOnce(call, choosing) };
};

function namedPitch(
  db: Decider,
  named: { readonly taskId: string; readonly id: string },
): NamedPitch | undefined {
  const rivals = db.list(PITCH_NAMED, named);
  const pitch = rivals.find(({ id }) => id === named.id);
  if (pitch === undefined) return undefined;
  const { worker: account, taskId } = pitch;
  return { pitch, rivals, history: db.find(HISTORIES, { account, taskId }) ?? NO_HISTORY };
}
