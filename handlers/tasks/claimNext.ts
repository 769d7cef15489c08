import { instant } from '../../domain/instant.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { waitForWork } from '../../workflows/tasks/offers.ts';
import { actor, mayReachPayee } from '../../workflows/tasks/worker.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentClaim } from './present/claim.ts';

/** Holds the call until something fits or the wait is over; every commit that may fit wakes it. */
export const claimNext: Handler<'tasks.claimNext'> = async (call, hub) => {
  const { wait } = call.query;
  const { skills, minReward } = call.body ?? {};
  const who = actor(call.caller, call.body);
  await hub.store.read((db) => mayReachPayee(hub, db, who));
  const filter = {
    who,
    network: networkNamed(hub, call.body?.network, 'body.network'),
    minReward: `${minReward ?? 0n}`,
    ...(skills !== undefined && { skills }),
  };
  const until = instant(hub.clock.now() + wait * 1000);
  const taken = await waitForWork(hub, filter, until, call.request.gone);
  const body = taken === undefined ? { work: null } : presentClaim(taken);
  return { status: 200, body: { ...body, wait } };
};
