import type { Decider } from '../../db/batch/transaction.ts';
import { LARGEST_STAKE } from '../../db/validators/largestStake.ts';
import { ZERO } from '../../domain/money.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { kindIn } from '../../workflows/wallet/networkKind.ts';
import { defined } from '../../domain/defined.ts';
import { settledBy } from '../../domain/predictions/change.ts';
import { potOf, type Market } from '../../domain/predictions/model.ts';
import { returnOf } from '../../domain/predictions/payout.ts';
import { ceilingOf } from '../../domain/validators/seat.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { readsOfBet, takeBet } from '../../workflows/predictions/bet.ts';
import { ASSET } from '../../domain/network.ts';
import { presentPosition, rateOf } from './present.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

/** The stake is held and counted in one transaction; the answer says what it would bring back. */
export const bet: Handler<'predictions.bet'> = async (call, hub) => {
  const { side, amount, ifVersion, minPayout } = call.body;
  const { account } = call.caller;
  const bet = (db: Decider) => {
    const placed = takeBet(db, hub, call.path.id, {
      account,
      side,
      amount,
      ...defined({ ifVersion, minPayout }),
    });
    const { market, bet: made, held, before } = placed;
    const position = presentPosition(market, held);
    const warning = warningOf(db, hub, market);
    return {
      id: made.id,
      marketId: market.id,
      owner: made.account,
      side,
      amount,
      asset: ASSET,
      network: market.network,
      transferId: made.transferId,
      position,
      projected: {
        before: rateOf(amount, before, side),
        after: returnOf(amount, side, market.pots, settledBy(market)),
      },
      version: market.version,
      spendableAfter: placed.spendableAfter,
      ...defined({ warning }),
      at: made.at,
      next: position.next,
      ...UNTRUSTED_TEXTS,
    };
  };
  const needs = readsOfBet(call.path.id, account);
  return { status: 200, body: await hub.transactOnce(call, { needs, decide: bet }) };
};

/** Only a real network has a ceiling for judges' decisions (choices predictions.transitions). */
function warningOf(db: Decider, hub: Hub, market: Market): string | undefined {
  const { network, check, pots } = market;
  if (check !== undefined || kindIn(db, hub, network) !== 'real') return undefined;
  const ceiling = ceilingOf(db.find(LARGEST_STAKE, network)?.stake ?? ZERO);
  if (potOf(pots) <= ceiling) return undefined;
  return `The pot is ${potOf(pots)} and no seated judge may decide about more than ${ceiling}; unless a larger seat comes, the market is voided and every stake goes back.`;
}
