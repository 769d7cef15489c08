import type { Hub } from './hub.ts';
import { items } from './pages.ts';
import { unwrap } from './refusal.ts';
import { digestOfReceipt, type ReceiptFile } from './verify/receipt.ts';
import type { WatchedTask } from './watch.ts';
import { defined } from '../../domain/defined.ts';

/**
 * A worker's record of a payment: who paid what for which terms, by which transfer. The stamp
 * proves in which minute this text existed; the statement and the task prove the rest at the hub.
 */
export interface Receipt {
  readonly v: 1;
  readonly hub: string;
  readonly account: string;
  readonly task: {
    readonly id: string;
    readonly title: string;
    readonly requester: string;
    readonly termsDigest: string;
  };
  readonly paid: {
    readonly amount: string;
    readonly asset: string;
    readonly network: string;
    readonly at: string;
    readonly transferId: string;
    readonly balanceAfter: string;
  };
}

/** The receipt of a paid task, stamped by the hub; undefined when it paid this account nothing. */
export async function stampedReceipt(
  hub: Hub,
  task: WatchedTask,
): Promise<ReceiptFile<Receipt> | undefined> {
  const receipt = await receiptOf(hub, task);
  if (receipt === undefined) return undefined;
  const digest = await digestOfReceipt(receipt);
  return { receipt, promise: unwrap(await hub.POST('/api/v1/time/stamp', { body: { digest } })) };
}

async function receiptOf(hub: Hub, task: WatchedTask): Promise<Receipt | undefined> {
  const { owner } = unwrap(await hub.GET('/api/v1/me'));
  const transfers = task.history.flatMap(({ transferId }) => transferId ?? []);
  const network = task.reward?.network;
  const params = { path: { owner }, query: { ...defined({ network }) } };
  const path = '/api/v1/wallet/{owner}/statement';
  for await (const entry of items(hub, path, 'entries', { params })) {
    if (entry.direction !== 'in' || !transfers.includes(entry.transferId)) continue;
    const { amount, at, transferId, balanceAfter } = entry;
    return {
      v: 1,
      hub: hub.baseUrl,
      account: owner,
      task: {
        id: task.id,
        title: task.title,
        requester: task.requester,
        termsDigest: task.terms.digest,
      },
      paid: {
        amount,
        asset: task.reward?.asset ?? 'USDC',
        network: network ?? '',
        at,
        transferId,
        balanceAfter,
      },
    };
  }
  return undefined;
}
