import { oddsOf } from '../../db/predictions/positions.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { readSettled } from '../../workflows/predictions/settle.ts';
import { presentMarket, presentNumber } from './present.ts';

/** Newest bets whose pots are shown. */
const ODDS_MAX = 200;

export const get: Handler<'predictions.get'> = async (call, hub) => {
  const market = await readSettled(hub, call.path.id);
  return hub.store.read(async (db) => {
    const odds = await oddsOf(db, market.id, ODDS_MAX);
    const present = await presentNumber(db, market, hub.clock.now());
    return { status: 200, body: { ...presentMarket(market, odds), present } };
  });
};
