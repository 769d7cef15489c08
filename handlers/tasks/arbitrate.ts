import { strict as assert } from 'node:assert';
import { disputeOf } from '../../db/tasks/disputes.ts';
import { defined } from '../../domain/defined.ts';
import { arbitrate as decide } from '../../domain/task/dispute.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { noteOverturned } from '../../workflows/validators/overturned.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { presentDispute } from './present/dispute.ts';
import { noSuchDispute, withDispute } from '../../workflows/tasks/dispute.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { presentNext } from '../../workflows/tasks/nextActions.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';

/** Transitions T21 and T22: the arbiter's word, and the money with it. */
export const arbitrate: Handler<'tasks.arbitrate'> = async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const { verdict, workerShareBps, resolution } = call.body;
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, id);
    const aggregate = await withDispute(tx, loaded.aggregate);
    if (aggregate.dispute === undefined) return noSuchDispute();
    const request = {
      verdict,
      ...defined({ workerShareBps, resolution }),
    };
    const change = orRefuse(decide(aggregate, account, request, now), { aggregate, now });
    // Seats before standing and money, as everywhere.
    if (change.task.state === 'refunded') await noteOverturned(tx, change.task);
    const ruled = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    const { task } = ruled.aggregate;
    const stored = await disputeOf(tx, id);
    assert(stored !== undefined, 'what was ruled on is there');
    return {
      taskId: id,
      state: task.state,
      dispute: presentDispute(task, stored.dispute, stored.money),
      next: presentNext(ruled.aggregate, now),
    };
  });
  return { status: 200, body };
};
