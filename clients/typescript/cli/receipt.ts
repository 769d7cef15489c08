import { join } from 'node:path';
import { items, unwrap, type WatchedTask } from '../index.ts';
import { verify } from '../node.ts';
import {
  checkReceipt,
  digestOfReceipt,
  type ReceiptFile,
  type ReceiptVerdict,
} from '../verify/receipt.ts';
import { keep } from './home.ts';
import { hubKeys, type Session } from './session.ts';

/**
 * What a worker keeps of a payment: who paid what for which terms, by which transfer, and the hub's
 * signed promise that this very text was there in that minute. The promise is checked under the
 * keys that were kept before, without the hub; it proves when the receipt was written, and the
 * statement and the task that it names prove the rest as long as the hub answers.
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

export interface Kept {
  readonly receipt: Receipt;
  readonly file: string;
  /** What checking found: the minute of the promise, or why it does not hold. */
  readonly checked: ReceiptVerdict;
}

/** The receipt of a paid task, stamped by the hub, checked and kept; undefined when none was paid. */
export async function keepReceipt(session: Session, task: WatchedTask): Promise<Kept | undefined> {
  const { hub, home } = session;
  const keys = await hubKeys(session);
  const receipt = await receiptOf(session, task);
  if (receipt === undefined) return undefined;
  const digest = await digestOfReceipt(receipt);
  const promise = unwrap(await hub.POST('/api/v1/time/stamp', { body: { digest } }));
  const file = join(home.folder, 'receipts', `${task.id}.json`);
  const kept: ReceiptFile<Receipt> = { receipt, promise };
  await keep(file, kept);
  return { receipt, file, checked: await checkReceipt(kept, keys, verify) };
}

async function receiptOf({ hub }: Session, task: WatchedTask): Promise<Receipt | undefined> {
  const { owner } = unwrap(await hub.GET('/api/v1/me'));
  const transfers = task.history.flatMap(({ transferId }) => transferId ?? []);
  const network = task.reward?.network;
  const params = { path: { owner }, query: { ...(network !== undefined && { network }) } };
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
