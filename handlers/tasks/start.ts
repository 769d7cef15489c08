import { announcedBy } from '../../db/tasks/attempts.ts';
import { announce, announceRefusal } from '../../domain/task/solve.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { presentChange } from './present/change.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor, workerOn } from '../../workflows/tasks/worker.ts';

/** Transition T17: says so in public and locks nothing. */
export const start: Handler<'tasks.start'> = takesNonce(async (call, hub) => {
  const who = actor(call.caller, call.body);
  const body = await hub.act(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, call.path.id);
    const worker = await workerOn(tx, who, loaded.aggregate.task);
    const refusal = announceRefusal(loaded.aggregate, worker);
    if (refusal !== undefined) orRefuse(refusal, { aggregate: loaded.aggregate, now });
    const announced = await announcedBy(tx, who.account, call.path.id);
    const offer = { worker, attemptId: hub.ids.uuid(), ...(announced && { announced }) };
    const change = announce(loaded.aggregate, offer, now);
    const committed = await commitChange(tx, hub, loaded, change, { actor: who.account, at: now });
    return {
      ...presentChange(committed, change, { now, by: who.account }),
      repeated: announced !== undefined,
    };
  });
  return { status: 200, body };
});
