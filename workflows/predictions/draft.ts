import { kindOf } from '../../db/wallet/networks.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { openMarket } from '../../domain/predictions/change.ts';
import type { CheckOp, Market, Metric } from '../../domain/predictions/model.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { networkNamed } from '../wallet/network.ts';

/** A market as it would be listed; refuses terms that its network does not take. */
export interface Terms {
  readonly question: string;
  readonly source: string;
  readonly closesAt: Instant;
  readonly network?: string;
  readonly check?: { readonly metric: Metric; readonly op: CheckOp; readonly value: string };
}

export async function draftMarket(
  hub: Hub,
  db: Reader,
  terms: Terms,
  creator: Account,
): Promise<Market> {
  const network = networkNamed(hub, terms.network, 'body.network');
  const { check, question, source, closesAt } = terms;
  const draft = {
    id: hub.ids.uuid(),
    question,
    source,
    closesAt,
    network,
    kind: await kindOf(db, network),
    creator,
    ...(check !== undefined && { check: { ...check, value: BigInt(check.value) } }),
  };
  const market = openMarket(draft, hub.clock.now());
  if (!('refused' in market)) return market;
  const { refused, why, field } = market;
  return refuse(refused, { error: why, ...defined({ field }) });
}
