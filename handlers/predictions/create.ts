import type { Handler } from '../../workflows/kernel/handler.ts';
import { createMarket } from '../../workflows/predictions/create.ts';
import { presentMarket } from './present.ts';

export const create: Handler<'predictions.create'> = async (call, hub) => {
  const { account } = call.caller;
  // Its creator may neither bet on it nor decide it.
  const body = await hub.transactOnce(call, {
    needs: [],
    decide: (db) => ({ ...presentMarket(createMarket(db, hub, call.body, account)), next: [] }),
  });
  return { status: 200, body };
};
