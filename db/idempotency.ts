import { strict as assert } from 'node:assert';
import type { Account } from '../domain/account.ts';
import type { Instant } from '../domain/instant.ts';
import { json, one, text } from './columns.ts';
import { linkOf, statement, type Reader, type Writer } from './connection.ts';

/**
 * Scope and content of a once-only call (choices ledger.idempotency); never global, so nobody
 * probes another.
 */
export interface OnceKey {
  /** The account whose money or escrow moves. */
  readonly account: Account;
  readonly operation: string;
  /** The caller's idempotency key: 1 to 128 printable ASCII characters. */
  readonly key: string;
  /** SHA-256, in hex, of the canonical body without the key. */
  readonly digest: string;
}
export type OnceOutcome<T> =
  | { readonly result: T; readonly repeated: false }
  | { readonly result: unknown; readonly repeated: true }
  | { readonly mismatch: true };

const TAKE = statement(`INSERT INTO idempotency (account, operation, key, request_digest, at)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT (account, operation, key) DO NOTHING RETURNING 1 AS taken`);
const READ = statement(`SELECT request_digest, result FROM idempotency
  WHERE account = ? AND operation = ? AND key = ?`);
const KEEP = statement(`UPDATE idempotency SET result = ?, transfer_id = ?
  WHERE account = ? AND operation = ? AND key = ?`);

/**
 * Runs `work` unless the key was used. The row is inserted first, so on PostgreSQL a concurrent
 * twin waits for this transaction and then reads its result. A refusal is thrown, which rolls the
 * row back with everything else: only success uses a key up. Rows are kept for ever.
 */
export async function once<T>(
  tx: Writer,
  { account, operation, key, digest }: OnceKey,
  at: Instant,
  work: () => Promise<T>,
): Promise<OnceOutcome<T>> {
  const link = linkOf(tx);
  const scope = [account, operation, key];
  if ((await link.rows(TAKE, [...scope, digest, at])).length === 0) {
    const row = one(await link.rows(READ, scope));
    assert(row !== undefined, 'a used key has its row');
    if (text(row, 'request_digest') !== digest) return { mismatch: true };
    return { result: json(row, 'result'), repeated: true };
  }
  const first = tx.posted.length;
  const result = await work();
  await link.rows(KEEP, [JSON.stringify(result), tx.posted[first] ?? null, ...scope]);
  return { result, repeated: false };
}

const USED = statement(`SELECT 1 AS used FROM idempotency
  WHERE account = ? AND operation = ? AND key = ?`);

/** Whether the call was made before, so that it answers again and costs nothing. */
export async function onceKeyUsed(
  db: Reader,
  { account, operation, key }: Omit<OnceKey, 'digest'>,
): Promise<boolean> {
  return (await linkOf(db).rows(USED, [account, operation, key])).length > 0;
}
