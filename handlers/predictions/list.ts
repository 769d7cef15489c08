import { listMarkets } from '../../db/predictions/markets.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { settleDueMarkets } from '../../workflows/predictions/settle.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { CONTENT_NOTE, presentMarket } from './present.ts';

/** What the clock decided is applied first, so that no market stands under a state it has left. */
export const list: Handler<'predictions.list'> = async (call, hub) => {
  const { state, network, limit, before } = call.query;
  const filter = {
    ...(state !== undefined && { state }),
    ...(network !== undefined && { network: networkNamed(hub, network, 'query.network') }),
    ...(before !== undefined && { before }),
  };
  await settleDueMarkets(hub);
  const found = await hub.store.read((db) => listMarkets(db, filter, limit + 1));
  const page = found.slice(0, limit);
  const last = page.at(-1)?.id;
  return {
    status: 200,
    body: {
      count: page.length,
      limit,
      ...(found.length > limit && last !== undefined && { nextBefore: last }),
      markets: page.map((market) => presentMarket(market)),
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
};
