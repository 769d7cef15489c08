import { cancel as decide } from '../../domain/task/decide.ts';
import type { Handler } from '../../server/handler.ts';
import { presentChange } from './_change.ts';
import { commitChange } from './_commit.ts';
import { lockSettled } from './_due.ts';
import { granted } from './_refuse.ts';

/** Transition T24: an unclaimed task is withdrawn and its escrow goes back at once. */
export const cancel: Handler<'tasks.cancel'> = async (call, hub) => {
  const { account } = call.caller;
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, call.path.id);
    const change = granted(decide(loaded.play, account, now), { play: loaded.play, now });
    const committed = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    return presentChange(committed, change, now);
  });
  return { status: 200, body };
};
