import type { Handler } from '../../workflows/kernel/handler.ts';
import { readSettled } from '../../workflows/predictions/settle.ts';
import { presentMarket, presentNumber } from './present.ts';

export const get: Handler<'predictions.get'> = async (call, hub) => {
  const { market, odds } = await readSettled(hub, call.path.id);
  const present =
    market.check && (await hub.store.read((db) => presentNumber(db, market, hub.clock.now())));
  return { status: 200, body: { ...presentMarket(market, odds), present } };
};
