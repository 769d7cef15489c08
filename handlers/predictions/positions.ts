import { positionsOf } from '../../db/predictions/positions.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { settleDueMarkets } from '../../workflows/predictions/settle.ts';
import { CONTENT_NOTE, presentPosition } from './present.ts';

export const positions: Handler<'predictions.positions'> = async (call, hub) => {
  const { limit, before } = call.query;
  const owner = call.query.owner ?? call.caller.account;
  await settleDueMarkets(hub);
  const found = await hub.store.read((db) => positionsOf(db, owner, before, limit + 1));
  const page = found.slice(0, limit);
  const last = page.at(-1)?.market.id;
  return {
    status: 200,
    body: {
      owner,
      count: page.length,
      limit,
      ...(found.length > limit && last !== undefined && { nextBefore: last }),
      positions: page.map(({ market, held }) => presentPosition(market, held)),
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
};
