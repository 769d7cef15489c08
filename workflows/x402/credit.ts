import { balance } from '../../db/ledger/balances.ts';
import type { Writer } from '../../db/store.ts';
import { isLinkedBy } from '../../db/tasks/links.ts';
import { endSettled, lockOpenPayment, type IncomingPayment } from '../../db/x402/payments.ts';
import { houseAccount, parseAccount, type Account } from '../../domain/account.ts';
import type { Move } from '../../domain/ledger/transfer.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import type { ChainHash, EvmAddress } from '../../domain/rails/evm.ts';
import { sharedAddress } from '../../domain/rails/ownership.ts';
import type { Authorization } from '../../domain/x402/payment.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustTransfer, transfer, type TransferRequest } from '../wallet/transfer.ts';

/** The account "owned by the paying wallet address" (interface, Models rule 5). */
export function walletAccount(payer: EvmAddress): Account {
  const account = parseAccount(`evm:${payer}`);
  if (account === undefined) throw new Error(`no account for ${payer}`);
  return account;
}

/**
 * Credits a payment whose tokens have moved, once: the row is locked and ended in the unit that
 * moves the money, so a second process finds nothing to do. What the wallet's own account has goes
 * along into a key's account that proved the wallet (choices ledger.accounts).
 */
export async function creditPayment(
  tx: Writer,
  hub: Hub,
  id: string,
  transaction: ChainHash,
): Promise<IncomingPayment | undefined> {
  const payment = await lockOpenPayment(tx, id);
  if (payment === undefined) return undefined;
  const { network, account, authorization } = payment;
  const at = hub.clock.now();
  const ref = { kind: 'x402', id } as const;
  const topUp: TransferRequest = { ...topUpOf(payment), ref, at };
  const own = await sweepOf(tx, network, authorization.from, account);
  const both = own && (await transfer(tx, hub, { ...topUp, steps: [...topUp.steps, own] }));
  // A call may spend the wallet's account at this moment; the next payment takes the rest along.
  const credited =
    both === undefined || 'refused' in both ? await mustTransfer(tx, hub, topUp) : both.transferId;
  await endSettled(tx, id, { transaction, transferId: credited, at });
  return { ...payment, end: { state: 'settled', transaction, transferId: credited, at } };
}

/** Returns the transfer that credits a payment. */
export function topUpOf({
  network,
  account,
  authorization: { value: amount },
}: Pick<IncomingPayment, 'network' | 'account'> & {
  readonly authorization: Pick<Authorization, 'value'>;
}): TransferRequest {
  const from = houseAccount(`external:chain:${network}`);
  return {
    network,
    event: 'x402.topup',
    actor: account,
    steps: [{ verb: 'move', from, to: account, amount, reason: 'x402.topup' }],
  };
}

/** Moves the balance of the wallet's own account into a key's account that proved the wallet. */
async function sweepOf(
  tx: Writer,
  network: NetworkId,
  wallet: EvmAddress,
  to: Account,
): Promise<Move | undefined> {
  const from = walletAccount(wallet);
  if (from === to || !(await isLinkedBy(tx, to, sharedAddress(wallet)))) return undefined;
  const { spendable } = await balance(tx, from, { network, asset: ASSET });
  if (spendable <= 0n) return undefined;
  return { verb: 'move', from, to, amount: atomic(spendable), reason: 'sweep.evm' };
}

/** Moves it on a proof of the wallet; while a call may spend it, only the next proof does. */
export async function sweepWallet(
  tx: Writer,
  hub: Hub,
  network: NetworkId,
  wallet: EvmAddress,
  to: Account,
): Promise<Atomic> {
  const own = await sweepOf(tx, network, wallet, to);
  if (own === undefined) return ZERO;
  const cause = { network, event: 'wallet.payoutAddress', actor: to };
  const posted = await transfer(tx, hub, { ...cause, steps: [own] });
  return 'refused' in posted ? ZERO : own.amount;
}
