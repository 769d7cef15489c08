import { decideIn } from '../../db/batch/inside.ts';
import type { Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { FEES } from '../../db/ledger/shards.ts';
import type { Account } from '../../domain/account.ts';
import type { Reason } from '../../domain/ledger/reasons.ts';
import type { InsufficientFunds, Ref } from '../../domain/ledger/transfer.ts';
import { display, type Atomic } from '../../domain/money.ts';
import { ASSET, NETWORK_IDS, type NetworkId, type NetworkKind } from '../../domain/network.ts';
import type { Schemas } from '../kernel/answered.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { move, readsOfMove, type TransferRequest } from '../wallet/transfer.ts';
import { networkNamed } from '../wallet/network.ts';
import { knownKind, networkKind } from '../wallet/networkKind.ts';

/** A price of the hub's own work; it goes to the fee pool, in the unit that stores or finds. */
export interface Charged {
  readonly account: Account;
  readonly network: NetworkId;
  readonly amount: Atomic;
  readonly reason: Reason;
  readonly ref: Ref;
}

/** Refuses a network that may not buy storage: test money buys nothing on a hub of real money. */
export async function payingNetwork(
  hub: Hub,
  db: Reader,
  named: string | undefined,
  field: string,
): Promise<NetworkId> {
  const network = networkNamed(hub, named, field);
  const kind = await knownKind(hub, db, network);
  const own = await knownKind(hub, db, hub.settings.network);
  mustBuy(hub, { network, kind, own, field });
  return network;
}

/** The same before a transaction, which asks the database for no kind that is known. */
export async function knownPayingNetwork(
  hub: Hub,
  named: string | undefined,
  field: string,
): Promise<NetworkId> {
  const network = networkNamed(hub, named, field);
  const kind = await networkKind(hub, network);
  const own = await networkKind(hub, hub.settings.network);
  mustBuy(hub, { network, kind, own, field });
  return network;
}

interface Buying {
  readonly network: NetworkId;
  readonly kind: NetworkKind;
  readonly own: NetworkKind;
  readonly field: string;
}

/** Test money buys nothing on a hub of real money, and play money nothing anywhere. */
function mayBuy({ kind, own }: Pick<Buying, 'kind' | 'own'>): boolean {
  return kind !== 'play' && (kind === 'real' || own !== 'real');
}

/** Returns whether money of the network is worth something on this hub. */
export async function buysHere(hub: Hub, network: NetworkId): Promise<boolean> {
  const own = await networkKind(hub, hub.settings.network);
  return mayBuy({ kind: await networkKind(hub, network), own });
}

function mustBuy(hub: Hub, { network, kind, own, field }: Buying): void {
  if (!mayBuy({ kind, own })) {
    const allowed = NETWORK_IDS.filter(
      (id) => id !== 'play' && (id !== 'sandbox' || own !== 'real'),
    );
    const isNamed = network !== hub.settings.network;
    refuse('network-refused', {
      error: `This is not paid with ${kind} money here, and the network is ${network}.`,
      hint: `Send the call again with ${field} as ${allowed.join(' or ')}${isNamed && own !== 'play' ? ', or without it' : ''}.`,
      field,
      allowed,
    });
  }
}

/** Takes a price; answers the refusal when it cannot be paid, having moved nothing. */
export function tryCharge(
  db: Decider,
  hub: Hub,
  charged: Charged,
): { readonly transferId: string } | InsufficientFunds {
  return move(db, hub, { ...requestOf(charged), at: hub.clock.now() });
}

function requestOf({ account, network, amount, reason, ref }: Charged): TransferRequest {
  return {
    network,
    event: reason,
    ref,
    actor: account,
    steps: [{ verb: 'move', from: account, to: FEES, amount, reason }],
  };
}

export function readsOfCharge(hub: Hub, charged: Charged): readonly Need[] {
  return readsOfMove(hub, requestOf(charged));
}

/** Takes a price or refuses the call; returns the charge for the answer. */
export function charge(db: Decider, hub: Hub, charged: Charged): Schemas['Charge'] {
  const taken = tryCharge(db, hub, charged);
  if ('refused' in taken) return refuseFunds(hub, taken, { network: charged.network });
  return reported(charged, taken);
}

/** Calls `charge` inside a transaction that is written statement by statement. */
export function chargeInside(tx: Writer, hub: Hub, charged: Charged): Promise<Schemas['Charge']> {
  const needs = readsOfCharge(hub, charged);
  return decideIn(tx, { needs, decide: (db) => charge(db, hub, charged) });
}

function reported(
  { network, amount }: Charged,
  taken: { readonly transferId: string },
): Schemas['Charge'] {
  return {
    amount,
    display: display(amount),
    asset: ASSET,
    network,
    transferId: taken.transferId,
  };
}
