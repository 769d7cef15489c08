import { listChains } from '../../db/chains/chains.ts';
import { currentTasks } from '../../db/chains/tasks.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { settleDueTasks } from '../../workflows/tasks/due.ts';
import { presentSummary } from './present.ts';
import { cutPage } from '../page.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

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
  const { rows, shown, more } = cutPage(found, limit, ({ chain }) =>
    presentSummary(chain, current.get(chain.id), now),
  );
  const last = rows.at(-1)?.chain.id;
  return {
    status: 200,
    body: {
      count: shown.length,
      limit,
      ...(more && last !== undefined && { nextBefore: last }),
      chains: shown,
      ...UNTRUSTED_TEXTS,
    },
  };
};
