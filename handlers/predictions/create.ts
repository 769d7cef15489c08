import { post } from '../../db/ledger/post.ts';
import { insertMarket } from '../../db/predictions/markets.ts';
import { FEES } from '../../db/ledger/shards.ts';
import { transferId } from '../../domain/ledger/transfer.ts';
import { LISTING_FEE } from '../../domain/market/model.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { draftMarket } from '../../workflows/predictions/draft.ts';
import { refuseFunds } from '../../workflows/wallet/funds.ts';
import { ASSET } from '../../domain/network.ts';
import { presentMarket } from './present.ts';

/** The listing fee is paid and the market is open in one transaction, or nothing happened. */
export const create: Handler<'predictions.create'> = async (call, hub) => {
  const { account } = call.caller;
  const body = await hub.once(call, async (tx) => {
    const market = await draftMarket(hub, tx, call.body, account);
    const { network } = market;
    const posted = await post(tx, {
      id: transferId(hub.ids.uuid()),
      at: market.createdAt,
      network,
      asset: ASSET,
      event: 'market.created',
      ref: { kind: 'market', id: market.id },
      actor: account,
      steps: [{ verb: 'move', from: account, to: FEES, amount: LISTING_FEE, reason: 'market.fee' }],
    });
    if ('refused' in posted) return refuseFunds(hub, posted, { network });
    await insertMarket(tx, market);
    return presentMarket(market);
  });
  return { status: 200, body };
};
