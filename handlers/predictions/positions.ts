import { positionsOf } from '../../db/predictions/positions.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { settleDueMarkets } from '../../workflows/predictions/settle.ts';
import { CONTENT_NOTE, presentPosition } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';

export const positions: Handler<'predictions.positions'> = async (call, hub) => {
  const { limit, cursor: after } = call.query;
  const owner = call.query.owner ?? call.caller.account;
  await settleDueMarkets(hub);
  const found = await hub.store.read((db) => positionsOf(db, owner, after, limit + 1));
  const { rows, shown, more } = cutPage(found, limit, ({ market, held }) =>
    presentPosition(market, held),
  );
  return {
    status: 200,
    body: {
      owner,
      ...envelopeOf({ rows, more }, limit, ({ market }) => market.id),
      positions: shown,
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
};
