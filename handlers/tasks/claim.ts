import type { Call } from '../../server/hub/call.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { takeTask, taking } from '../../workflows/tasks/claim.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { plainOr } from '../../workflows/tasks/plain.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor, mustReachPayee, reachingPayee, type Actor } from '../../workflows/tasks/worker.ts';
import { answerClaim } from './present/claim.ts';

/** Transitions T2 and T3: takes the task, or renews the lease of the one that you hold. */
export const claim: Handler<'tasks.claim'> = takesNonce(async (call, hub) => {
  const who = actor(call.caller, call.body);
  const taken = await plainOr(
    () => claimPlain(call, hub, who),
    () => claimWide(call, hub, who),
  );
  return { status: 200, body: await answerClaim(hub, taken) };
});

function claimPlain(call: Call<'tasks.claim'>, hub: Hub, who: Actor) {
  const payee = reachingPayee(hub, who);
  const { needs, decide } = taking(hub, call.path.id, who, call.body.skills);
  return hub.actDeclared(call, {
    needs: [...payee.needs, ...needs],
    decide(db) {
      payee.mustReach(db);
      const { outcome, found } = decide(db);
      return orRefuse(outcome, { aggregate: found, now: hub.clock.now() });
    },
  });
}

/** Starter tasks, steps of chains, what the clock has decided on, and workers with loans. */
function claimWide(call: Call<'tasks.claim'>, hub: Hub, who: Actor) {
  return hub.act(call, async (tx) => {
    await mustReachPayee(hub, tx, who);
    const loaded = await lockSettled(tx, hub, call.path.id);
    const outcome = await takeTask(tx, hub, loaded, who, call.body.skills);
    return orRefuse(outcome, { aggregate: loaded.aggregate, now: hub.clock.now() });
  });
}
