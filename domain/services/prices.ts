import { atomic, type Atomic } from '../money.ts';

/** What the paid services cost (choices services.tools); `GET /api/v1/services` lists the same. */
export const COMPRESS_BASE = atomic(500n);
export const COMPRESS_PER_KB = atomic(100n);
export const CARD_READ_PRICE = atomic(2_000n);
export const SCHEMA_PRICE = atomic(200n);
const KB = 1_024;

export function compressPrice(text: string): Atomic {
  const started = Math.ceil(Buffer.byteLength(text) / KB);
  return atomic(COMPRESS_BASE + BigInt(started) * COMPRESS_PER_KB);
}
