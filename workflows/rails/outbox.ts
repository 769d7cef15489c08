import {
  insertTransaction,
  lockTransaction,
  updateTransaction,
} from '../../db/rails/transactions.ts';
import type { Writer } from '../../db/store.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress, Hex } from '../../domain/rails/evm.ts';
import { newTransaction, type ChainTransaction } from '../../domain/rails/transaction.ts';
import type { Hub } from '../kernel/hub.ts';
import { CHAIN_TRANSACTIONS_TOPIC } from '../topics.ts';

export interface CallRequest {
  readonly network: NetworkId;
  /** The purpose of the call: `withdrawal`, `x402`, `sweep`. */
  readonly purpose: string;
  readonly refId: string;
  readonly to: EvmAddress;
  readonly data: Hex;
  /** Units of the token that the wallet must have; without them it waits, and nothing counts. */
  readonly needs?: Atomic;
  /** How often the contract may say that it would refuse, before it is dropped unsigned. */
  readonly triesMax: number;
}

/**
 * Queues a call for the wallet in the caller's unit. Returns its id, with which `readTransaction`
 * reads its state. CHAIN_TRANSACTIONS_TOPIC is published when the state changes.
 */
export async function enqueueCall(
  tx: Writer,
  hub: Pick<Hub, 'clock' | 'ids'>,
  request: CallRequest,
): Promise<string> {
  const id = hub.ids.uuid();
  await insertTransaction(tx, newTransaction(hub.clock.now(), { ...request, id }));
  tx.publish(CHAIN_TRANSACTIONS_TOPIC);
  return id;
}

/** Takes a call back while it is queued; false when it was signed, and may be out already. */
export async function dropCall(tx: Writer, hub: Hub, id: string, note: string): Promise<boolean> {
  const row = await lockTransaction(tx, id);
  if (row.state !== 'queued') return false;
  await saveChange(tx, hub, row, { state: 'dropped', final: true, note });
  return true;
}

/** Saves the outcome of a step; listeners are notified of a new state alone. */
export async function saveChange(
  tx: Writer,
  hub: Hub,
  row: ChainTransaction,
  change: Partial<ChainTransaction>,
): Promise<void> {
  const next = { ...row, ...change };
  await updateTransaction(tx, { ...next, updatedAt: hub.clock.now() });
  if (next.state !== row.state || next.final !== row.final) tx.publish(CHAIN_TRANSACTIONS_TOPIC);
}
