import { strict as assert } from 'node:assert';
import { disputeOf } from '../../db/tasks/disputes.ts';
import { arbitrate as decide } from '../../domain/task/dispute.ts';
import type { Handler } from '../../server/handler.ts';
import { noteOverturned } from './_arbiter.ts';
import { commitChange } from './_commit.ts';
import { noSuchDispute, presentDispute, withDispute } from './_dispute.ts';
import { lockSettled } from './_due.ts';
import { presentNext } from './_present.ts';
import { granted } from './_refuse.ts';

/** Transitions T21 and T22: the arbiter's word, and the money with it. */
export const arbitrate: Handler<'tasks.arbitrate'> = async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const { verdict, workerShareBps, resolution } = call.body;
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, id);
    const play = await withDispute(tx, loaded.play);
    if (play.dispute === undefined) return noSuchDispute();
    const request = {
      verdict,
      ...(workerShareBps !== undefined && { workerShareBps }),
      ...(resolution !== undefined && { resolution }),
    };
    const change = granted(decide(play, account, request, now), { play, now });
    // Seats before standing and money, as everywhere.
    if (change.task.state === 'refunded') await noteOverturned(tx, change.task);
    const ruled = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    const { task } = ruled.play;
    const stored = await disputeOf(tx, id);
    assert(stored !== undefined, 'what was ruled on is there');
    return {
      taskId: id,
      state: task.state,
      dispute: presentDispute(task, stored.dispute, stored.money),
      next: presentNext(ruled.play, now),
    };
  });
  return { status: 200, body };
};
