import { strict as assert } from 'node:assert';
import { raise } from '../../domain/task/dispute.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { presentDispute } from './present/dispute.ts';
import { withDispute } from '../../workflows/tasks/dispute.ts';
import { lockSettled, settleAll } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';

/** Transition T20: the payout is frozen, and an arbiter drawn in the same transaction. */
export const dispute: Handler<'tasks.dispute'> = takesNonce(async (call, hub) => {
  const { account } = call.caller;
  const body = await hub.act(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, call.path.id);
    const aggregate = await withDispute(tx, loaded.aggregate);
    const change = orRefuse(raise(aggregate, account, call.body.reason, now), { aggregate, now });
    const raised = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    const drawn = await settleAll(tx, hub, raised, now);
    assert(drawn.aggregate.dispute !== undefined, 'what was raised is there');
    return presentDispute(drawn.aggregate.task, drawn.aggregate.dispute, undefined);
  });
  return { status: 200, body };
});
