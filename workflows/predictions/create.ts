import { postInside } from '../../db/ledger/postInside.ts';
import { FEES } from '../../db/ledger/shards.ts';
import { insertRow } from '../../db/batch/write.ts';
import { MARKETS } from '../../db/predictions/markets.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { transferId } from '../../domain/ledger/transfer.ts';
import { LISTING_FEE, type Market } from '../../domain/predictions/model.ts';
import { ASSET } from '../../domain/network.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { draftMarket, type Terms } from './draft.ts';

/** The listing fee is paid and the market is open in one transaction, or nothing happened. */
export async function createMarket(
  tx: Writer,
  hub: Hub,
  terms: Terms,
  creator: Account,
): Promise<Market> {
  const market = await draftMarket(hub, tx, terms, creator);
  const { network, id, createdAt: at } = market;
  const posted = await postInside(tx, {
    id: transferId(hub.ids.uuid()),
    at,
    network,
    asset: ASSET,
    event: 'market.created',
    ref: { kind: 'market', id },
    actor: creator,
    steps: [{ verb: 'move', from: creator, to: FEES, amount: LISTING_FEE, reason: 'market.fee' }],
  });
  if ('refused' in posted) return refuseFunds(hub, posted, { network });
  await insertRow(tx, MARKETS, market);
  return market;
}
