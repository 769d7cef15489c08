import { defined } from '../../domain/defined.ts';
import { instant } from '../../domain/instant.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { claimAgain, Repeated } from '../../workflows/tasks/claimOnce.ts';
import { queueClaims } from '../../workflows/tasks/queueClaims.ts';
import { waitForWork } from '../../workflows/tasks/waitForWork.ts';
import { actor, mayReachPayee } from '../../workflows/tasks/worker.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { answerClaim } from './present/claim.ts';

/** Holds the call until something fits or the wait is over; every commit that may fit wakes it. */
export const claimNext: Handler<'tasks.claimNext'> = async (call, hub) => {
  const { wait } = call.query;
  const { gone } = call.request;
  const { skills, minReward, verification, tags, autoAccept } = call.body ?? {};
  const who = actor(call.caller, call.body);
  await mayReachPayee(hub, who);
  const filter = {
    who,
    network: networkNamed(hub, call.body?.network, 'body.network'),
    minReward: `${minReward ?? 0n}`,
    ...defined({ skills, verification }),
    ...(tags !== undefined && { tags: tags.map((tag) => tag.toLowerCase()) }),
    ...defined({ autoAccept }),
  };
  const until = instant(hub.clock.now() + wait * 1000);
  const claims = queueClaims(hub, call, who, skills);
  const taken = await waitForWork(hub, filter, claims, { until, gone }).catch((error: unknown) => {
    if (error instanceof Repeated) return claimAgain(hub, call, who, error.kept);
    throw error;
  });
  const body = taken === undefined ? { work: null } : await answerClaim(hub, taken);
  return { status: 200, body: { ...body, wait } };
};
