import type { Decider } from '../../db/batch/transaction.ts';
import { FEES } from '../../db/ledger/shards.ts';
import { MARKETS } from '../../db/predictions/markets.ts';
import type { Account } from '../../domain/account.ts';
import { LISTING_FEE, type Market } from '../../domain/predictions/model.ts';
import type { Hub } from '../kernel/hub.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { networkNamed } from '../wallet/network.ts';
import { kindIn } from '../wallet/networkKind.ts';
import { move } from '../wallet/transfer.ts';
import { draftMarket, type Terms } from './draft.ts';

/** The listing fee is paid and the market is open in one transaction, or nothing happened. */
export function createMarket(db: Decider, hub: Hub, terms: Terms, creator: Account): Market {
  const network = networkNamed(hub, terms.network, 'body.network');
  const kind = kindIn(db, hub, network);
  const id = db.newId(hub.ids);
  const market = draftMarket(hub, terms, { id, creator, network, kind });
  const posted = move(db, hub, {
    at: market.createdAt,
    network,
    event: 'market.created',
    ref: { kind: 'market', id },
    actor: creator,
    steps: [{ verb: 'move', from: creator, to: FEES, amount: LISTING_FEE, reason: 'market.fee' }],
  });
  if ('refused' in posted) return refuseFunds(hub, posted, { network });
  db.insert(MARKETS, id, market);
  return market;
}
