import { needNew, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { CALLS } from '../../db/router/calls.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { plus, seconds } from '../../domain/instant.ts';
import { ZERO, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { closed, RESOLVE_AFTER_SECONDS, type Receipt } from '../../domain/router/receipt.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import type { Hub } from '../kernel/hub.ts';
import { refuseShort } from '../x402/door.ts';
import { nextTurn, type CallUnderWay, type NoCandidateLeft } from './begin.ts';
import type { Plan } from './plan.ts';

/** A call of an agent for a caller (choices router.money). */
export interface Order {
  /** Who pays. */
  readonly caller: Account;
  readonly operation: string;
  readonly maxPrice?: Atomic;
  readonly acceptHash?: string;
  readonly network: NetworkId;
  readonly plan: Plan;
  /** Where it is called, when x402 can pay what is missing. */
  readonly door: { readonly path: string; readonly rail: Rail | undefined };
}

export type Begun = CallUnderWay | { readonly receipt: Receipt };

export interface Beginning {
  readonly needs: readonly Need[];
  decide(db: Decider): Begun;
}

export function beginning(hub: Hub, order: Order): Beginning {
  const receipt = newReceipt(hub, order);
  const { plan } = order;
  const turn = nextTurn(hub, receipt, plan.offers);
  return {
    needs: [needNew(CALLS, receipt.id), ...turn.needs],
    decide(db) {
      plan.refuse?.();
      const begun =
        plan.over === undefined
          ? startedOr(hub, order, turn.decide(db))
          : { receipt: neverStarted(receipt, plan.over) };
      db.put(CALLS, receipt.id, begun.receipt);
      return begun;
    },
  };
}

/** The same transaction, for a payment that is not taken where no price is held. */
export function rehearsal(hub: Hub, order: Order) {
  const { needs, decide } = beginning(hub, order);
  return { needs, decide: (db: Decider): boolean => decide(db).receipt.hold !== undefined };
}

function newReceipt(
  hub: Hub,
  { caller, operation, maxPrice, acceptHash, network, plan }: Order,
): Receipt {
  const at = hub.clock.now();
  return {
    id: hub.ids.uuid(),
    caller,
    network,
    operation,
    ...defined({ maxPrice, acceptHash }),
    at,
    resolveAt: plus(at, seconds(RESOLVE_AFTER_SECONDS)),
    outcome: 'running',
    why: 'The agent is being called.',
    cost: ZERO,
    durationMs: 0,
    responseBytes: 0,
    refused: [],
    considered: plan.considered,
  };
}

function neverStarted(receipt: Receipt, { outcome, why, candidate }: NonNullable<Plan['over']>) {
  const { listingId, endpoint, listed, quoted } = candidate ?? {};
  const over: Receipt = {
    ...receipt,
    ...defined({ listingId, endpoint }),
    ...(listed !== undefined && { listedPrice: listed.amount }),
    ...(quoted !== undefined && { quotedPrice: quoted.price.amount }),
  };
  return closed(over, outcome, why, receipt.at);
}

function startedOr(
  hub: Hub,
  { network, operation, door }: Order,
  next: CallUnderWay | NoCandidateLeft,
): Begun {
  if ('candidate' in next) return next;
  if (next.short !== undefined) {
    const what = { network, description: buying(operation), field: 'body.maxPrice', ...door };
    refuseShort(hub, next.short, what);
  }
  const why = 'Another call is trying the address after a rest; ask again in half a minute.';
  return { receipt: closed(next.receipt, 'failed', why, next.receipt.at) };
}

export const buying = (operation: string): string => `calling ${operation}`;
