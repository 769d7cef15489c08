import { waitingMarkets } from '../../db/predictions/markets.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { settleDueMarkets } from '../../workflows/predictions/settle.ts';
import { CONTENT_NOTE, presentMarket } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';

/** The worklist of the judges, oldest closing first. */
export const due: Handler<'predictions.due'> = async (call, hub) => {
  const { judge, limit, cursor: after } = call.query;
  const wanted = defined({ judge, after });
  await settleDueMarkets(hub);
  const found = await hub.store.read((db) => waitingMarkets(db, wanted, limit + 1));
  const { rows, shown, more } = cutPage(found, limit, (market) => presentMarket(market));
  return {
    status: 200,
    body: {
      judge,
      ...envelopeOf({ rows, more }, limit, ({ id }) => id),
      markets: shown,
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
};
