import { reject as decide } from '../../domain/task/decide.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { presentChange } from './present/change.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { namedSolution } from '../../workflows/tasks/solution.ts';

/** Transition T12: the task stays open and its reward stays held. */
export const reject: Handler<'tasks.reject'> = takesNonce(async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const { reason, solutionId } = call.body;
  const body = await hub.act(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, id);
    const solution = await namedSolution(tx, id, solutionId);
    const request = { reason, ...(solution && { solution }) };
    const about = { aggregate: loaded.aggregate, now };
    const change = orRefuse(decide(loaded.aggregate, account, request, now), about);
    const committed = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    return { ...presentChange(committed, change, { now, by: account }), repeated: false };
  });
  return { status: 200, body };
});
