import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { judgeMarket } from '../../workflows/predictions/judge.ts';
import { presentMarket } from './present.ts';

/** Pays at once and for good: winners their stakes and the losing pot, the judge a part of it. */
export const resolve: Handler<'predictions.resolve'> = async (call, hub) => {
  const { outcome, evidence } = call.body;
  const judge = call.caller.account;
  const body = await hub.once(call, async (tx) => {
    const word = { judge, outcome, ...defined({ evidence }) };
    return presentMarket(await judgeMarket(tx, hub, call.path.id, word));
  });
  return { status: 200, body };
};
