import { HOSTED_CALLS, HOSTED_SERVED } from '../hosted/declared.ts';
import { IDEMPOTENCY } from '../idempotency.ts';
import { KARMA_GIVEN } from '../karma/declared.ts';
import { ACCOUNTS, COMMITMENTS, ENTRIES, LEDGER_NEXT, TRANSFERS } from '../ledger/declared.ts';
import { NONCES } from '../nonces.ts';
import { BREAKERS, CALL_ATTEMPTS, CALLS } from '../router/declared.ts';
import { LINKED } from '../tasks/linkedDeclared.ts';
import { KEY_HOMES } from '../wallet/homes.ts';
import type { AnyTable } from './table.ts';

/** In the order in which a batch locks what it reads: a call goes before the money of it. */
export const readOrder: readonly AnyTable[] = [
  NONCES,
  KEY_HOMES,
  CALLS,
  BREAKERS,
  LEDGER_NEXT,
  ACCOUNTS,
  COMMITMENTS,
  HOSTED_SERVED,
  IDEMPOTENCY,
  KARMA_GIVEN,
  LINKED,
].map((table) => table as AnyTable);

/** In the order in which a batch writes: what is named goes before what names it. */
export const writeOrder: readonly AnyTable[] = [
  NONCES,
  KEY_HOMES,
  ACCOUNTS,
  TRANSFERS,
  ENTRIES,
  COMMITMENTS,
  CALLS,
  CALL_ATTEMPTS,
  BREAKERS,
  HOSTED_SERVED,
  HOSTED_CALLS,
  IDEMPOTENCY,
].map((table) => table as AnyTable);
