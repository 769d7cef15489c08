import type { Handler } from '../../workflows/kernel/handler.ts';
import { beginTrial } from '../../workflows/tasks/trial.ts';
import { claimToken } from '../../workflows/tasks/claimToken.ts';
import { presentClaim } from './present/claim.ts';

/** A task for one account with a paper that is new, claimed for it in the same transaction. */
export const trial: Handler<'tasks.trial'> = async (call, hub) => {
  const { account } = call.caller;
  // The token is derived again for a repeat, since no token is stored.
  const kept = await hub.once(call, async (tx) => {
    const taken = await beginTrial(tx, hub, call.caller);
    const { repeated: _, ...claim } = presentClaim(hub, taken);
    const { triesLeftToday } = taken;
    return { account, ...withToken(claim, ''), triesLeftToday, next: [] };
  });
  const { claimToken: token } = claimToken(hub, { id: kept.attemptId });
  const claim = withToken(kept, token);
  return { status: 200, body: { ...claim, next: claim.work.next } };
};

type Claim = Omit<ReturnType<typeof presentClaim>, 'repeated'>;

function withToken<C extends Claim>(claim: C, token: string) {
  const { deliver, work } = claim;
  const next = work.next.map((action) => {
    const { body } = action.call;
    if (body === undefined || !('claimToken' in body)) return action;
    return { ...action, call: { ...action.call, body: { ...body, claimToken: token } } };
  });
  return {
    ...claim,
    claimToken: token,
    deliver: { ...deliver, body: { ...deliver.body, claimToken: token } },
    work: { ...work, next },
  };
}
