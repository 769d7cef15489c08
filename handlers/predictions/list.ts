import { listMarkets } from '../../db/predictions/markets.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { settleDueMarkets } from '../../workflows/predictions/settle.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { CONTENT_NOTE, presentMarket } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';

/** Changes due by the clock are applied first, so no market is listed in a state it has left. */
export const list: Handler<'predictions.list'> = async (call, hub) => {
  const { state, network, limit, cursor: after } = call.query;
  const filter = {
    ...defined({ state }),
    ...(network !== undefined && { network: networkNamed(hub, network, 'query.network') }),
    ...defined({ before: after }),
  };
  await settleDueMarkets(hub);
  const found = await hub.store.read((db) => listMarkets(db, filter, limit + 1));
  const { rows, shown, more } = cutPage(found, limit, (market) => presentMarket(market));
  return {
    status: 200,
    body: {
      ...envelopeOf({ rows, more }, limit, ({ id }) => id),
      markets: shown,
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
};
