import { listMarkets, type MarketSort } from '../../db/predictions/markets.ts';
import { defined } from '../../domain/defined.ts';
import type { Market } from '../../domain/predictions/model.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { settleDueMarkets } from '../../workflows/predictions/settle.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { CONTENT_NOTE, presentMarket } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';

/** Changes due by the clock are applied first, so no market is listed in a state it has left. */
export const list: Handler<'predictions.list'> = async (call, hub) => {
  const { state, network, creator, q: text, sort, limit } = call.query;
  const filter = {
    ...defined({ state, creator, text }),
    ...(network !== undefined && { network: networkNamed(hub, network, 'query.network') }),
  };
  const after = placeAfter(call);
  await settleDueMarkets(hub);
  const page = { sort, after, limit: limit + 1 };
  const found = await hub.store.read((db) => listMarkets(db, filter, page));
  const { rows, shown, more } = cutPage(found, limit, (market) => presentMarket(market));
  return {
    status: 200,
    body: {
      ...envelopeOf({ rows, more }, limit, (market) => cursorOf(market, sort)),
      markets: shown,
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
};

/** An order by a value needs that value in its cursor, and the order by age has none. */
function placeAfter({ query: { cursor, sort } }: Call<'predictions.list'>) {
  if (cursor === undefined) return undefined;
  const [id = '', by] = cursor.split('.').reverse();
  if ((sort === 'newest') === (by === undefined)) return { id, ...defined({ by }) };
  return refuse('not-together', {
    error: `query.cursor is the cursor of another order than query.sort ${sort}.`,
    hint: 'Send the same `sort` as for the page that gave the cursor, or leave `cursor` out.',
    field: 'query.cursor',
  });
}

function cursorOf({ id, closesAt, pots }: Market, sort: MarketSort): string {
  if (sort === 'newest') return id;
  return sort === 'closes' ? `${closesAt}.${id}` : `${pots.yes + pots.no}.${id}`;
}
