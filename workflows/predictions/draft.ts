import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { NetworkId, NetworkKind } from '../../domain/network.ts';
import { openMarket } from '../../domain/predictions/change.ts';
import type { CheckOp, Market, Metric } from '../../domain/predictions/model.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

/** A market as it would be listed; refuses terms that its network does not take. */
export interface Terms {
  readonly question: string;
  readonly source: string;
  readonly closesAt: Instant;
  readonly network?: string;
  readonly check?: { readonly metric: Metric; readonly op: CheckOp; readonly value: string };
}

/** The members of a market beside its terms. */
interface Listed {
  readonly id: string;
  readonly creator: Account;
  readonly network: NetworkId;
  readonly kind: NetworkKind;
}

export function draftMarket(hub: Hub, terms: Terms, listed: Listed): Market {
  const { check, question, source, closesAt } = terms;
  const draft = {
    ...listed,
    question,
    source,
    closesAt,
    ...(check !== undefined && { check: { ...check, value: BigInt(check.value) } }),
  };
  const market = openMarket(draft, hub.clock.now());
  if (!('refused' in market)) return market;
  const { refused, why, field } = market;
  return refuse(refused, { error: why, ...defined({ field }) });
}
