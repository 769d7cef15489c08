import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { takeTask } from '../../workflows/tasks/claim.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor, mustReachPayee } from '../../workflows/tasks/worker.ts';
import { answerClaim } from './present/claim.ts';

/** Transitions T2 and T3: takes the task, or renews the lease of the one that you hold. */
export const claim: Handler<'tasks.claim'> = takesNonce(async (call, hub) => {
  const who = actor(call.caller, call.body);
  const taken = await hub.act(call, async (tx) => {
    await mustReachPayee(hub, tx, who);
    const loaded = await lockSettled(tx, hub, call.path.id);
    const outcome = await takeTask(tx, hub, loaded, who, call.body.skills);
    return orRefuse(outcome, { aggregate: loaded.aggregate, now: hub.clock.now() });
  });
  return { status: 200, body: await answerClaim(hub, taken) };
});
