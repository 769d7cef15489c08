import { attemptByToken } from '../../db/tasks/attempts.ts';
import { giveBack, usable } from '../../domain/task/deliver.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { presentChange } from './present/change.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor } from '../../workflows/tasks/worker.ts';

/** Transition T7: honest failure; the task is back in the queue at once. */
export const fail: Handler<'tasks.fail'> = takesNonce(async (call, hub) => {
  const { claimToken, reason } = call.body;
  const { account } = actor(call.caller, call.body);
  const body = await hub.act(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, call.path.id);
    const found = await attemptByToken(tx, call.path.id, claimToken);
    const attempt = orRefuse(usable(loaded.aggregate, found, account, now), {
      aggregate: loaded.aggregate,
      now,
    });
    const change = giveBack(loaded.aggregate, attempt, reason, now);
    const committed = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    return { ...presentChange(committed, change, { now, by: account }), repeated: false };
  });
  return { status: 200, body };
});
