import { defined } from '../../domain/defined.ts';
import { reject as decide } from '../../domain/tasks/decide.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { decideOn } from '../../workflows/tasks/decideOn.ts';
import { namedSolution } from '../../workflows/tasks/solution.ts';
import { presentChange } from './present/change.ts';

/** Transition T12: the task stays open and its reward stays held. */
export const reject: Handler<'tasks.reject'> = async (call, hub) => {
  const { id } = call.path;
  const { account: by } = call.caller;
  const { reason, solutionId } = call.body;
  const rejecting = decideOn(
    hub,
    {
      id,
      by,
      decide(aggregate, now, db) {
        const solution = namedSolution(db, id, solutionId);
        return decide(aggregate, by, { reason, ...defined({ solution }) }, now);
      },
    },
    ({ committed, change }) => ({
      ...presentChange(committed, change, { hub, by }),
      repeated: false,
    }),
  );
  return { status: 200, body: await hub.transactOnce(call, rejecting) };
};
