import { listChains } from '../../db/chains/chains.ts';
import { currentTasks } from '../../db/chains/tasks.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { settleDueTasks } from '../../workflows/tasks/due.ts';
import { presentSummary } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

export const list: Handler<'chains.list'> = async (call, hub) => {
  const { limit, cursor: after, network: named, ...wanted } = call.query;
  const filter = { ...wanted, ...defined({ before: after }) };
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
  return {
    status: 200,
    body: {
      ...envelopeOf({ rows, more }, limit, ({ chain }) => chain.id),
      chains: shown,
      ...UNTRUSTED_TEXTS,
    },
  };
};
