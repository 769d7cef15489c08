import type { Handler } from '../../server/hub/handler.ts';
import { presentNext } from '../../workflows/tasks/nextActions.ts';
import { beginTrial } from '../../workflows/tasks/trial.ts';
import { claimToken } from '../../workflows/tasks/claimToken.ts';
import { presentClaim } from './present/claim.ts';

/** A task for one account with a paper that is new, claimed for it in the same transaction. */
export const trial: Handler<'tasks.trial'> = async (call, hub) => {
  const { account } = call.caller;
  // The token is derived again for a repeat, since no token is stored.
  const { deliver, ...kept } = await hub.once(call, async (tx) => {
    const taken = await beginTrial(tx, hub, call.caller);
    const { repeated: _, deliver, ...claim } = presentClaim(taken);
    const { aggregate, at, triesLeftToday } = taken;
    const next = presentNext(aggregate, at);
    return { account, ...claim, ...withToken('', deliver), triesLeftToday, next };
  });
  const { claimToken: token } = claimToken(hub, { id: kept.attemptId });
  return { status: 200, body: { ...kept, ...withToken(token, deliver) } };
};

function withToken<D extends { readonly body: object }>(claimToken: string, deliver: D) {
  return { claimToken, deliver: { ...deliver, body: { ...deliver.body, claimToken } } };
}
