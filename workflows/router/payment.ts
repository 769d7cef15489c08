import { balance } from '../../db/ledger/balances.ts';
import { onceKeyUsed } from '../../db/x402/onceKeyUsed.ts';
import type { InsufficientFunds } from '../../domain/ledger/transfer.ts';
import { atomic, display, ZERO } from '../../domain/money.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import type { Call } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { acceptPayment, bringsPayment, type AcceptedPayment } from '../x402/accept.ts';
import { paymentRequired, type Price } from '../x402/require.ts';
import type { Plan } from './plan.ts';

/** How a call is paid at the door, over x402 (choices router.x402). */
const PATH = '/api/v1/call';

/**
 * Takes the payment that came with a call. Nothing is taken for a call that costs nothing, cannot
 * be made, or was made before under its idempotencyKey.
 */
export async function payAtDoor(
  hub: Hub,
  call: Call<'router.call'>,
  plan: Plan,
  network: NetworkId,
): Promise<AcceptedPayment | undefined> {
  if (!bringsPayment(call)) return undefined;
  const { caller, idempotencyKey: key, operation } = call.body;
  if (key !== undefined) {
    const scope = { account: caller, operation: call.operation, key };
    if (await hub.store.read((db) => onceKeyUsed(db, scope))) return undefined;
  }
  plan.refuse?.();
  const due = plan.offers[0]?.due ?? ZERO;
  if (due === ZERO) return undefined;
  const { spendable } = await hub.store.read((db) =>
    balance(db, caller, { network, asset: ASSET }),
  );
  const amount = spendable >= due ? ZERO : atomic(due - spendable);
  return acceptPayment(hub, call, priceOf(operation, network, amount));
}

/** The account is short: 402 with the terms of x402 where a rail takes it, else 400. */
export function refuseShort(
  hub: Hub,
  short: InsufficientFunds,
  { operation, network, rail }: { operation: string; network: NetworkId; rail: Rail | undefined },
): never {
  if (rail === undefined) return refuseFunds(hub, short, { network, field: 'body.maxPrice' });
  const { needed, spendable, account } = short;
  const price = priceOf(operation, network, atomic(needed - spendable));
  return paymentRequired(hub, price, rail, {
    error: `The call needs ${needed} atomic units (${display(needed)} USDC) on ${network}, and ${spendable} are spendable.`,
    hint: `Pay the entry of \`accepts\` from the payout address of ${account} and send the call again with the payment's header, covered by the signature; or POST /api/v1/wallet/${account}/deposit-address.`,
  });
}

function priceOf(operation: string, network: NetworkId, amount: Price['amount']): Price {
  return { network, amount, path: PATH, description: `calling ${operation}` };
}
