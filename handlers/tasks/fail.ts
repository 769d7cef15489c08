import { attemptByToken } from '../../db/tasks/attempts.ts';
import { giveBack, usable } from '../../domain/task/deliver.ts';
import type { Handler } from '../../server/handler.ts';
import { presentChange } from './_change.ts';
import { commitChange } from './_commit.ts';
import { lockSettled } from './_due.ts';
import { granted } from './_refuse.ts';
import { actor } from './_worker.ts';

/** Transition T7: honest failure; the task is back in the queue at once. */
export const fail: Handler<'tasks.fail'> = async (call, hub) => {
  const { claimToken, reason } = call.body;
  const { account } = actor(call.caller, call.body);
  const body = await hub.store.write(async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, call.path.id);
    const found = await attemptByToken(tx, call.path.id, claimToken);
    const attempt = granted(usable(loaded.play, found, account, now), { play: loaded.play, now });
    const change = giveBack(loaded.play, attempt, reason, now);
    const committed = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    return { ...presentChange(committed, change, now), repeated: false };
  });
  return { status: 200, body };
};
