import { defined } from '../../domain/defined.ts';
import { instant } from '../../domain/instant.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { claimOnce } from '../../workflows/tasks/claimOnce.ts';
import { actor, mayReachPayee } from '../../workflows/tasks/worker.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { answerClaim } from './present/claim.ts';

/** Holds the call until something fits or the wait is over; every commit that may fit wakes it. */
export const claimNext: Handler<'tasks.claimNext'> = async (call, hub) => {
  const { wait } = call.query;
  const { skills, minReward, verification, tags, autoAccept } = call.body ?? {};
  const who = actor(call.caller, call.body);
  await hub.store.read((db) => mayReachPayee(hub, db, who));
  const filter = {
    who,
    network: networkNamed(hub, call.body?.network, 'body.network'),
    minReward: `${minReward ?? 0n}`,
    ...defined({ skills, verification }),
    ...(tags !== undefined && { tags: tags.map((tag) => tag.toLowerCase()) }),
    ...defined({ autoAccept }),
  };
  const until = instant(hub.clock.now() + wait * 1000);
  const taken = await claimOnce(hub, call, filter, until);
  const body = taken === undefined ? { work: null } : await answerClaim(hub, taken);
  return { status: 200, body: { ...body, wait } };
};
