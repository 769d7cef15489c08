import { accept as decide } from '../../domain/tasks/decide.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { decideOn } from '../../workflows/tasks/decideOn.ts';
import { namedSolution } from '../../workflows/tasks/solution.ts';
import { presentChange } from './present/change.ts';

/** Transition T11: acceptance and payment are one step. */
export const accept: Handler<'tasks.accept'> = async (call, hub) => {
  const { id } = call.path;
  const { account: by } = call.caller;
  const accepting = decideOn(
    hub,
    {
      ...{ id, by },
      decide: (aggregate, now, db) =>
        decide(aggregate, by, namedSolution(db, id, call.body.solutionId), now),
    },
    ({ committed, change, now }) => presentChange(committed, change, { now, by }),
  );
  return { status: 200, body: await hub.transactOnce(call, accepting) };
};
