import { join } from 'node:path';
import { stampedReceipt, type Receipt, type WatchedTask } from '../index.ts';
import { verify } from '../node.ts';
import { checkReceipt, type ReceiptVerdict } from '../verify/receipt.ts';
import { keep } from './home.ts';
import { hubKeys, type Session } from './session.ts';

export interface Kept {
  readonly receipt: Receipt;
  readonly file: string;
  /** The result of the check: the minute of the promise, or why it does not hold. */
  readonly checked: ReceiptVerdict;
}

/**
 * The receipt of a paid task, stamped by the hub, stored, and checked under the keys that were
 * stored before; undefined when none was paid.
 */
export async function keepReceipt(session: Session, task: WatchedTask): Promise<Kept | undefined> {
  const { hub, home } = session;
  const keys = await hubKeys(session);
  const kept = await stampedReceipt(hub, task);
  if (kept === undefined) return undefined;
  const file = join(home.folder, 'receipts', `${task.id}.json`);
  await keep(file, kept);
  return { receipt: kept.receipt, file, checked: await checkReceipt(kept, keys, verify) };
}
