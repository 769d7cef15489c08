import { waitingMarkets } from '../../db/predictions/markets.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { settleDueMarkets } from '../../workflows/predictions/settle.ts';
import { CONTENT_NOTE, presentMarket } from './present.ts';

/** The worklist of the judges, oldest closing first. */
export const due: Handler<'predictions.due'> = async (call, hub) => {
  const { judge, limit, after } = call.query;
  const wanted = { ...(judge !== undefined && { judge }), ...(after !== undefined && { after }) };
  await settleDueMarkets(hub);
  const found = await hub.store.read((db) => waitingMarkets(db, wanted, limit + 1));
  const page = found.slice(0, limit);
  const last = page.at(-1)?.id;
  return {
    status: 200,
    body: {
      ...(judge !== undefined && { judge }),
      count: page.length,
      limit,
      ...(found.length > limit && last !== undefined && { nextAfter: last }),
      markets: page.map((market) => presentMarket(market)),
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
};
