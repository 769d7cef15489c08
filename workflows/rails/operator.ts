import { lockTransaction, updateTransaction } from '../../db/rails/transactions.ts';
import { lockWithdrawal, updateWithdrawal } from '../../db/rails/withdrawals.ts';
import type { Writer } from '../../db/store.ts';
import type { Hub } from '../kernel/hub.ts';
import { carry } from './withdraw.ts';

/** The operator's decision on a withdrawal, or the reason why it cannot be done. */
export type OperatorAnswer = { readonly done: string } | { readonly refused: string };

/** Lets one go that waits, because it is above the automatic limits. */
export async function releaseWithdrawal(
  hub: Pick<Hub, 'clock' | 'ids' | 'chains'>,
  tx: Writer,
  id: string,
): Promise<OperatorAnswer> {
  const row = await lockWithdrawal(tx, id);
  if (row === undefined) return { refused: `there is no withdrawal ${id}` };
  if (row.state !== 'pending' || !row.waitsForOperator) {
    return { refused: `it is ${row.state} and does not wait for an operator` };
  }
  const transactionId = await carry(hub, tx, row);
  const updatedAt = hub.clock.now();
  await updateWithdrawal(tx, { ...row, waitsForOperator: false, transactionId, updatedAt });
  return { done: 'it goes out with the next run of the hot wallet' };
}

/** Asks to spend a stuck withdrawal's nonce on nothing. It is refunded unless it confirms first. */
export async function cancelWithdrawal(
  hub: Pick<Hub, 'clock'>,
  tx: Writer,
  id: string,
): Promise<OperatorAnswer> {
  const row = await lockWithdrawal(tx, id);
  if (row === undefined || row.transactionId === null || row.state !== 'pending') {
    return { refused: `no withdrawal ${id} is with the chain` };
  }
  const carried = await lockTransaction(tx, row.transactionId);
  if (carried.nonce === null) return { refused: 'it is not signed yet; its owner can recall it' };
  await updateTransaction(tx, { ...carried, cancelAsked: true, nextTryAt: hub.clock.now() });
  return { done: 'its nonce is spent on nothing, unless a block takes it first' };
}
