import { pitchBy } from '../../db/tasks/pitches.ts';
import { defined } from '../../domain/defined.ts';
import { offerPitch } from '../../domain/task/pitch.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { presentPitch } from './present/pitch.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor, workerOn } from '../../workflows/tasks/worker.ts';

/** Transition T18: a plan, and a price that is at most the reward. */
export const pitch: Handler<'tasks.pitch'> = takesNonce(async (call, hub) => {
  const { id: taskId } = call.path;
  const { plan, price } = call.body;
  const who = actor(call.caller, call.body);
  const body = await hub.act(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, taskId);
    const { task } = loaded.aggregate;
    const standing = await pitchBy(tx, taskId, who.account);
    const request = {
      id: hub.ids.uuid(),
      worker: await workerOn(tx, who, task),
      plan,
      ...defined({ price, standing }),
    };
    const change = orRefuse(offerPitch(task, request, now), { aggregate: loaded.aggregate, now });
    const { aggregate } = await commitChange(tx, hub, loaded, change, {
      actor: who.account,
      at: now,
    });
    return presentPitch(change.offered, aggregate.task);
  });
  return { status: 200, body };
});
