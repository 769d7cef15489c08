import { cancel as decide } from '../../domain/task/decide.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { presentChange } from './present/change.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';

/** Transition T24: an unclaimed task is withdrawn and its escrow goes back at once. */
export const cancel: Handler<'tasks.cancel'> = takesNonce(async (call, hub) => {
  const { account } = call.caller;
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, call.path.id);
    const change = orRefuse(decide(loaded.aggregate, account, now), {
      aggregate: loaded.aggregate,
      now,
    });
    const committed = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    return presentChange(committed, change, { now, by: account });
  });
  return { status: 200, body };
});
