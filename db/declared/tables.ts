import { IDEMPOTENCY } from '../idempotency.ts';
import { ACCOUNTS, COMMITMENTS, ENTRIES, LEDGER_NEXT, TRANSFERS } from '../ledger/declared.ts';
import {
  MEMORY_ACCOUNTS,
  MEMORY_GRANTS,
  MEMORY_SPACES,
  NOTE_KEYS,
  NOTE_WORDS,
  NOTES,
} from '../memory/declared.ts';
import { NONCES } from '../nonces.ts';
import { KEY_HOMES } from '../wallet/homes.ts';
import type { AnyTable } from './table.ts';

/** Every table of declared units, in the order in which a batch locks and writes them. */
export const tables: readonly AnyTable[] = [
  NONCES,
  KEY_HOMES,
  // Locked before the money that they cost, as free units do.
  MEMORY_SPACES,
  MEMORY_GRANTS,
  MEMORY_ACCOUNTS,
  NOTES,
  NOTE_KEYS,
  NOTE_WORDS,
  LEDGER_NEXT,
  ACCOUNTS,
  TRANSFERS,
  ENTRIES,
  COMMITMENTS,
  // Names the transfer that it answers for.
  IDEMPOTENCY,
].map((table) => table as AnyTable);
