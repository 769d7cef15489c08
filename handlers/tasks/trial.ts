import type { Handler } from '../../server/hub/handler.ts';
import { presentNext } from '../../workflows/tasks/nextActions.ts';
import { beginTrial } from '../../workflows/tasks/trial.ts';
import { presentClaim } from './present/claim.ts';

/** A task for one account with a paper that is new, claimed for it in the same transaction. */
export const trial: Handler<'tasks.trial'> = async (call, hub) => {
  const { account } = call.caller;
  const taken = await hub.act(call, (tx) => beginTrial(tx, hub, call.caller));
  const { repeated: _, ...claim } = presentClaim(taken);
  const { aggregate, at, triesLeftToday } = taken;
  return {
    status: 200,
    body: { account, ...claim, triesLeftToday, next: presentNext(aggregate, at) },
  };
};
