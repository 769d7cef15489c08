import { listChains } from '../../db/chains/chains.ts';
import { currentTasks } from '../../db/chains/tasks.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { settleDueTasks } from '../../workflows/tasks/due.ts';
import { presentSummary } from './present.ts';

export const list: Handler<'chains.list'> = async (call, hub) => {
  const { limit, network: named, ...filter } = call.query;
  const network = named === undefined ? {} : { network: networkNamed(hub, named, 'query.network') };
  await settleDueTasks(hub);
  const { found, current } = await hub.store.read(async (db) => {
    const page = await listChains(db, { ...filter, ...network }, limit + 1);
    const ids = page.map(({ chain }) => chain.id);
    return { found: page, current: await currentTasks(db, ids) };
  });
  const now = hub.clock.now();
  const page = found.slice(0, limit);
  const last = page.at(-1)?.chain.id;
  return {
    status: 200,
    body: {
      count: page.length,
      limit,
      ...(found.length > limit && last !== undefined && { nextBefore: last }),
      chains: page.map(({ chain }) => presentSummary(chain, current.get(chain.id), now)),
    },
  };
};
