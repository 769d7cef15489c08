import { need } from '../../db/batch/need.ts';
import { PITCHES } from '../../db/tasks/pitches.ts';
import { defined } from '../../domain/defined.ts';
import { offerPitch } from '../../domain/tasks/pitch.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { decideOn } from '../../workflows/tasks/decideOn.ts';
import { actor, readsOfWorker, workerIn } from '../../workflows/tasks/worker.ts';
import { presentPitch } from './present/pitch.ts';

/** Transition T18: a plan, and a price that is at most the reward. */
export const pitch: Handler<'tasks.pitch'> = async (call, hub) => {
  const { id: taskId } = call.path;
  const { plan, price } = call.body;
  const who = actor(call.caller, call.body);
  const own = { taskId, worker: who.account };
  const pitching = decideOn(
    hub,
    {
      id: taskId,
      by: who.account,
      needs: [need(PITCHES, own), ...readsOfWorker(who, { taskId })],
      decide({ task }, now, db) {
        const standing = db.find(PITCHES, own);
        const { worker } = workerIn(db, who, task, { taskId });
        const id = db.newId(hub.ids);
        return offerPitch(task, { id, worker, plan, ...defined({ price, standing }) }, now);
      },
    },
    ({ committed, change }) => presentPitch(change.offered, committed.aggregate.task, who.account),
  );
  return { status: 200, body: await hub.transactOnce(call, pitching) };
};
