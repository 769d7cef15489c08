import { strict as assert } from 'node:assert';
import { raise } from '../../domain/task/dispute.ts';
import type { Handler } from '../../server/handler.ts';
import { commitChange } from './_commit.ts';
import { presentDispute, withDispute } from './_dispute.ts';
import { lockSettled, settleAll } from './_due.ts';
import { granted } from './_refuse.ts';

/** Transition T20: the payout is frozen, and an arbiter drawn in the same transaction. */
export const dispute: Handler<'tasks.dispute'> = async (call, hub) => {
  const { account } = call.caller;
  const body = await hub.store.write(async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, call.path.id);
    const play = await withDispute(tx, loaded.play);
    const change = granted(raise(play, account, call.body.reason, now), { play, now });
    const raised = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    const drawn = await settleAll(tx, hub, raised, now);
    assert(drawn.play.dispute !== undefined, 'what was raised is there');
    return presentDispute(drawn.play.task, drawn.play.dispute, undefined);
  });
  return { status: 200, body };
};
