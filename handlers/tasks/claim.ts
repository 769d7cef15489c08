import type { Handler } from '../../workflows/kernel/handler.ts';
import { onceKey } from '../../workflows/kernel/onceKey.ts';
import { readsOfClaim, takeTask } from '../../workflows/tasks/claim.ts';
import { claimAgain, keepTaken, readsOfKey, Repeated } from '../../workflows/tasks/claimOnce.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor, reachingPayee } from '../../workflows/tasks/worker.ts';
import { answerClaim } from './present/claim.ts';

/** Transitions T2 and T3: takes the task, or renews the lease of the one that you hold. */
export const claim: Handler<'tasks.claim'> = async (call, hub) => {
  const who = actor(call.caller, call.body);
  const payee = reachingPayee(hub, who);
  const on = { taskId: call.path.id };
  const key = onceKey(call, hub.clock.now());
  const taking = hub.transact(call, {
    needs: [...readsOfKey(key), ...payee.needs, ...readsOfClaim(hub, who, on)],
    decide: (db) =>
      keepTaken<never>(db, hub, key, () => {
        payee.mustReach(db);
        const { outcome, found } = takeTask(db, hub, who, on, call.body.skills);
        return orRefuse(outcome, { hub, aggregate: found, by: who.account });
      }),
  });
  const taken = await taking.catch((thrown: unknown) => {
    if (thrown instanceof Repeated) return claimAgain(hub, call, who, thrown.kept);
    throw thrown;
  });
  return { status: 200, body: await answerClaim(hub, taken) };
};
