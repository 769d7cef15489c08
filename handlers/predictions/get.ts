import { oddsOf } from '../../db/predictions/positions.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { readSettled } from '../../workflows/predictions/settle.ts';
import { presentMarket } from './present.ts';

/** Newest bets whose pots are shown. */
const ODDS_MAX = 200;

export const get: Handler<'predictions.get'> = async (call, hub) => {
  const market = await readSettled(hub, call.path.id);
  const odds = await hub.store.read((db) => oddsOf(db, market.id, ODDS_MAX));
  return { status: 200, body: presentMarket(market, odds) };
};
