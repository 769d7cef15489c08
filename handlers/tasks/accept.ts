import { accept as decide } from '../../domain/task/decide.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { presentChange } from './present/change.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { namedSolution } from '../../workflows/tasks/solution.ts';

/** Transition T11: acceptance and payment are one step. */
export const accept: Handler<'tasks.accept'> = takesNonce(async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, id);
    const named = await namedSolution(tx, id, call.body.solutionId);
    const about = { aggregate: loaded.aggregate, now };
    const change = orRefuse(decide(loaded.aggregate, account, named, now), about);
    const committed = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    return presentChange(committed, change, { now, by: account });
  });
  return { status: 200, body };
});
