import { charges } from '../../generated/charges.ts';
import { atomic, type Atomic } from '../money.ts';

const { base, perKilobyte } = charges['services.compressPrompt'].parts;

/** The prices of the paid services (choices services.tools), as the contract states. */
const COMPRESS_BASE = atomic(BigInt(base.amount));
const COMPRESS_PER_KB = atomic(BigInt(perKilobyte.amount));
export const CARD_READ_PRICE = atomic(BigInt(charges['services.cardRead'].parts.base.amount));
export const SCHEMA_PRICE = atomic(BigInt(charges['services.schemaToEnglish'].parts.base.amount));
const KB = 1_024;

export function compressPrice(text: string): Atomic {
  const started = Math.ceil(Buffer.byteLength(text) / KB);
  return atomic(COMPRESS_BASE + BigInt(started) * COMPRESS_PER_KB);
}
