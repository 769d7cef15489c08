import { charges } from '../../generated/charges.ts';
import { atomic, type Atomic } from '../money.ts';

const FILE_WRITE = charges['files.put'].parts;
const FILE_READ = charges['files.get'].parts;

/**
 * The prices and limits of memory and files (choices memory.fees). Prices are atomic units, those
 * of calls as the contract states; a megabyte is 2^20 bytes, and a started one counts whole.
 */
export const MEGABYTE = 1_048_576;

export const NOTE_PRICE = atomic(BigInt(charges['memory.write'].parts.base.amount));
export const IMPORTED_NOTE_PRICE = atomic(BigInt(charges['memory.import'].parts.base.amount));
export const SEARCH_PRICE = atomic(BigInt(charges['memory.search'].parts.base.amount));
export const RENT_PER_MEGABYTE_DAY = atomic(50n);
export const FILE_WRITE_BASE = atomic(BigInt(FILE_WRITE.base.amount));
export const FILE_WRITE_PER_MEGABYTE = atomic(BigInt(FILE_WRITE.perMegabyte.amount));
export const FILE_READ_BASE = atomic(BigInt(FILE_READ.base.amount));
export const FILE_READ_PER_MEGABYTE = atomic(BigInt(FILE_READ.perMegabyte.amount));

export const NOTE_BYTES_MAX = 8_192;
export const NOTES_PER_ACCOUNT_MAX = 10_000;
export const NOTE_KEY_CHARS_MAX = 128;
export const SEARCH_RESULTS_DEFAULT = 10;
export const SEARCH_RESULTS_MAX = 20;
export const SEARCH_TEXT_CHARS_MAX = 512;
export const SPACES_PER_ACCOUNT_MAX = 100;
export const GRANTS_PER_SPACE_MAX = 200;
/** Former contents that a key keeps. */
export const HISTORY_MAX = 10;
export const IMPORT_LINES_MAX = 100;
export const FILE_BYTES_MAX = 32 * MEGABYTE;
/** For a file at the doors whose messages are held whole. */
export const FILE_DOOR_BYTES_MAX = MEGABYTE;
export const FILES_BYTES_PER_ACCOUNT_MAX = 200 * MEGABYTE;

/** Each started one counts; nothing is no megabyte. */
function startedMegabytes(bytes: number): bigint {
  return BigInt(Math.ceil(bytes / MEGABYTE));
}

export function fileWritePrice(bytes: number): Atomic {
  return atomic(FILE_WRITE_BASE + FILE_WRITE_PER_MEGABYTE * startedMegabytes(bytes));
}

export function fileReadPrice(bytes: number): Atomic {
  return atomic(FILE_READ_BASE + FILE_READ_PER_MEGABYTE * startedMegabytes(bytes));
}

/** Rent of one day for notes and files together. */
export function rentPerDay(bytes: number): Atomic {
  return atomic(RENT_PER_MEGABYTE_DAY * startedMegabytes(bytes));
}
