import { balance } from '../../db/ledger/balances.ts';
import { endRefused, reservePayment, type OpenPayment } from '../../db/x402/payments.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import type { Caller } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { mustTransfer } from '../wallet/transfer.ts';
import { sweepOf, walletAccount } from './credit.ts';

/**
 * A payment whose money is not needed, because what earlier ones left covers the call (choices
 * router.x402). Its signature proves the wallet; nothing of it is settled, and it counts once.
 */
export const FROM_BALANCE = 'paid_from_balance';

/** What a paying wallet brings before its payment counts. */
export interface Means {
  /** Of the account that pays. */
  readonly account: bigint;
  /** Left over in the wallet's own account, which goes along into a key's account. */
  readonly left: bigint;
}

export async function meansOf(
  hub: Hub,
  network: NetworkId,
  account: Account,
  wallet: Account,
): Promise<Means> {
  return hub.store.read(async (db) => ({
    account: await spendableOf(db, network, account),
    left: account === wallet ? 0n : await spendableOf(db, network, wallet),
  }));
}

async function spendableOf(db: Reader, network: NetworkId, account: Account): Promise<bigint> {
  const { spendable } = await balance(db, account, { network, asset: ASSET });
  return spendable < 0n ? 0n : spendable;
}

/** What a call that may cost `due` lacks. */
export function lackOf(due: Atomic, { account, left }: Means): Atomic {
  const lack = due - account - left;
  return lack <= 0n ? ZERO : atomic(lack);
}

/**
 * Whether nothing is taken: what is there covers the call. A signer whose own balance covers it
 * tops the account up on purpose.
 */
export function isCovered(due: Atomic, means: Means, caller: Caller): boolean {
  if (lackOf(due, means) > ZERO) return false;
  return caller.kind === 'visitor' || means.account < due;
}

/** Keeps the authorization as used, and moves what is left over. False when it came before. */
export async function payFromBalance(
  hub: Hub,
  call: { readonly caller: Caller },
  payment: OpenPayment,
): Promise<boolean> {
  const { id, network, account, authorization } = payment;
  return hub.act(call, async (tx) => {
    if (!(await reservePayment(tx, payment))) return false;
    const at = hub.clock.now();
    await endRefused(tx, id, { fault: FROM_BALANCE, at });
    const own = await sweepOf(tx, network, walletAccount(authorization.from), account);
    if (own === undefined) return true;
    const ref = { kind: 'x402', id } as const;
    const cause = { network, event: 'x402.sweep', ref, actor: account, at };
    await mustTransfer(tx, hub, { ...cause, steps: [own] });
    return true;
  });
}
