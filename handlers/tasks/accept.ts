import type { Decider } from '../../db/batch/transaction.ts';
import { ATTEMPT_NAMED } from '../../db/tasks/taskTables.ts';
import { need } from '../../db/batch/need.ts';
import { award, type WinnerRef } from '../../domain/tasks/award.ts';
import { refused, type Change, type Refused } from '../../domain/tasks/change.ts';
import { accept as decide } from '../../domain/tasks/decide.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { decideOn } from '../../workflows/tasks/decideOn.ts';
import { groupsOfWork } from '../../workflows/tasks/parties.ts';
import { namedSolution } from '../../workflows/tasks/solution.ts';
import { presentChange } from './present/change.ts';

/** Transitions T11 and T27: acceptance and payment are one step. */
export const accept: Handler<'tasks.accept'> = async (call, hub) => {
  const { id } = call.path;
  const { account: by } = call.caller;
  const ids = (call.body.winners ?? []).map(({ solutionId }) => solutionId);
  const needs = ids.map((named) => need(ATTEMPT_NAMED, { taskId: id, id: named }));
  const accepting = decideOn(
    hub,
    {
      id,
      by,
      needs,
      decide(aggregate, now, db) {
        const { solutionId, winners } = call.body;
        if (winners === undefined) {
          return decide(aggregate, by, namedSolution(db, id, solutionId), now);
        }
        return solutionId === undefined ? share(call, db, aggregate, now) : ONE_OR_SEVERAL;
      },
    },
    ({ committed, change }) => presentChange(committed, change, { hub, by }),
  );
  return { status: 200, body: await hub.transactOnce(call, accepting) };
};

const ONE_OR_SEVERAL = refused(
  'not-together',
  'solutionId names one winner, and winners names several.',
  { field: 'body.solutionId', hint: 'Send one of the two, and send the call again.' },
);

function share(
  { body, caller, path }: Call<'tasks.accept'>,
  db: Decider,
  aggregate: TaskAggregate,
  now: Instant,
): Change | Refused {
  const winners = (body.winners ?? []).map(({ solutionId, bps }): WinnerRef => {
    const solution = namedSolution(db, path.id, solutionId) ?? { id: solutionId };
    return { solution, ...defined({ bps }) };
  });
  const attempts = winners.flatMap(({ solution }) => solution.attempt ?? []);
  const groups = groupsOfWork(db, aggregate.task, attempts);
  return award(aggregate, caller.account, { winners, groups }, now);
}
