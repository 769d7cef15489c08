import { accept as decide } from '../../domain/task/decide.ts';
import type { Handler } from '../../server/handler.ts';
import { presentChange } from './_change.ts';
import { commitChange } from './_commit.ts';
import { lockSettled } from './_due.ts';
import { granted } from './_refuse.ts';
import { namedSolution } from './_solution.ts';

/** Transition T11: acceptance and payment are one step. */
export const accept: Handler<'tasks.accept'> = async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, id);
    const named = await namedSolution(tx, id, call.body.solutionId);
    const about = { play: loaded.play, now };
    const change = granted(decide(loaded.play, account, named, now), about);
    const committed = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    return presentChange(committed, change, now);
  });
  return { status: 200, body };
};
