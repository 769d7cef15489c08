import { canonical } from '../../../domain/json.ts';
import { verify, type Verifier } from './verifier.ts';
import { webCrypto } from './crypto.ts';

/** A receipt as a worker keeps it: its text, and the hub's promise that this text was there. */
export interface ReceiptFile<R = unknown> {
  readonly receipt: R;
  readonly promise: unknown;
}

export type ReceiptVerdict =
  { readonly ok: true; readonly minute: string } | { readonly ok: false; readonly says: string };

/** Checks that the promise is the hub's and is of this receipt, without a request. */
export async function checkReceipt(
  { receipt, promise }: ReceiptFile,
  keys: unknown,
  verifier: Pick<Verifier, 'promise'> = verify,
): Promise<ReceiptVerdict> {
  const verdict = await verifier.promise(promise, keys);
  if (!verdict.ok) return { ok: false, says: verdict.says };
  if (verdict.digest !== (await digestOfReceipt(receipt))) {
    return { ok: false, says: 'The receipt is not the one that was stamped.' };
  }
  return { ok: true, minute: verdict.minute };
}

export function isReceiptFile(value: unknown): value is ReceiptFile {
  return typeof value === 'object' && value !== null && 'receipt' in value && 'promise' in value;
}

/** SHA-256 of the canonical JSON (RFC 8785), in hex. */
export async function digestOfReceipt(receipt: unknown): Promise<string> {
  const digest = await webCrypto.sha256(new TextEncoder().encode(canonical(receipt)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
