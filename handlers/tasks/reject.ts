import { reject as decide } from '../../domain/task/decide.ts';
import type { Handler } from '../../server/handler.ts';
import { presentChange } from './_change.ts';
import { commitChange } from './_commit.ts';
import { lockSettled } from './_due.ts';
import { granted } from './_refuse.ts';
import { namedSolution } from './_solution.ts';

/** Transition T12: the task stays open and its reward stays held. */
export const reject: Handler<'tasks.reject'> = async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const { reason, solutionId } = call.body;
  const body = await hub.store.write(async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, id);
    const solution = await namedSolution(tx, id, solutionId);
    const request = { reason, ...(solution && { solution }) };
    const about = { play: loaded.play, now };
    const change = granted(decide(loaded.play, account, request, now), about);
    const committed = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    return { ...presentChange(committed, change, now), repeated: false };
  });
  return { status: 200, body };
};
