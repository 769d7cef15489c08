import { balance } from '../../db/ledger/balances.ts';
import { onceKeyUsed } from '../../db/x402/onceKeyUsed.ts';
import type { InsufficientFunds } from '../../domain/ledger/transfer.ts';
import { atomic, display, ZERO, type Atomic } from '../../domain/money.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import type { Hub } from '../kernel/hub.ts';
import { fundingHint, refuseFunds } from '../wallet/funds.ts';
import { acceptPayment, bringsPayment, type AcceptedPayment } from './accept.ts';
import { paymentRequired, type Price } from './require.ts';
import type { RehearseCall } from './rehearse.ts';
import type { PaidCall } from './reserve.ts';

/** How calls of agents, hosted agents and models are paid over x402 (choices router.x402). */
export interface Purchase {
  readonly network: NetworkId;
  /** The most that the call takes from the balance. */
  readonly due: Atomic;
  /** Path of the operation, such as `/api/v1/call`. */
  readonly path: string;
  /** The purchase, such as `calling convert`. */
  readonly description: string;
  /** Refuses a call that no money would help, once it is known to be none that was made before. */
  readonly refuse?: (() => void) | undefined;
  /** Finds every refusal of the transaction that begins the call, before a payment is settled. */
  readonly rehearse: RehearseCall;
}

/**
 * Takes the payment that came with a call: of what a signer's balance lacks, or of all. Nothing is
 * taken for what costs nothing, nor for a call that was made before under its idempotencyKey.
 */
export async function payAtDoor(
  hub: Hub,
  call: PaidCall,
  { due, refuse, rehearse, ...what }: Purchase,
): Promise<AcceptedPayment | undefined> {
  if (!bringsPayment(call) || (await wasMade(hub, call))) return undefined;
  refuse?.();
  if (due === ZERO) return undefined;
  const amount = await lacking(hub, call, what.network, due);
  return acceptPayment(hub, call, { ...what, amount }, rehearse);
}

/** A wallet without a key: the payment itself identifies a repeat (`acceptPayment`). */
async function wasMade(hub: Hub, { caller, operation, request }: PaidCall): Promise<boolean> {
  const body = request.wireBody as { readonly idempotencyKey?: unknown } | undefined;
  const key = body?.idempotencyKey;
  if (caller.kind === 'visitor' || typeof key !== 'string') return false;
  return hub.store.readOne((db) => onceKeyUsed(db, { account: caller.account, operation, key }));
}

async function lacking(
  hub: Hub,
  { caller }: PaidCall,
  network: NetworkId,
  due: Atomic,
): Promise<Atomic> {
  if (caller.kind === 'visitor') return due;
  const place = { network, asset: ASSET };
  const { spendable } = await hub.store.readOne((db) => balance(db, caller.account, place));
  return spendable >= due ? ZERO : atomic(due - spendable);
}

/** The account is short: 402 with the terms of x402 where a rail takes it, else 400. */
export function refuseShort(
  hub: Hub,
  short: InsufficientFunds,
  { field, rail, ...what }: Omit<Price, 'amount'> & { field: string; rail: Rail | undefined },
): never {
  const { network } = what;
  if (rail === undefined) return refuseFunds(hub, short, { network, field });
  const { needed, spendable, account } = short;
  const missing = atomic(needed - spendable);
  const price = { ...what, amount: missing };
  return paymentRequired(hub, price, rail, {
    error: `The call needs ${needed} atomic units (${display(needed)} USDC) on ${network}, and ${spendable} are spendable.`,
    hint: `Pay the entry of \`accepts\` from the payout address of ${account} and send the call again with the payment's header, covered by the signature. Or put money in: ${fundingHint(hub, { account, network, missing })}`,
  });
}
