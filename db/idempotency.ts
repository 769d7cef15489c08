import { strict as assert } from 'node:assert';
import type { Account } from '../domain/account.ts';
import type { Instant } from '../domain/instant.ts';
import { json, one, text } from './columns.ts';
import { linkOf, statement, type Reader, type Writer } from './connection.ts';
import { textCell, type Table } from './declared/table.ts';
import type { Decider } from './declared/unit.ts';

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

/** What was kept under a key; undefined while it is unused. */
export async function readOnce(
  db: Reader,
  { account, operation, key, digest }: OnceKey,
): Promise<OnceOutcome<unknown> | undefined> {
  const row = one(await linkOf(db).rows(READ, [account, operation, key]));
  if (row === undefined) return undefined;
  if (text(row, 'request_digest') !== digest) return { mismatch: true };
  return { result: json(row, 'result'), repeated: true };
}

interface OnceRow extends OnceKey {
  readonly at: Instant;
  /** JSON text. */
  readonly result: string;
  readonly transferId: string | undefined;
}

/** Once-only calls, for declared units. */
export const IDEMPOTENCY: Table<
  Omit<OnceKey, 'digest'>,
  Pick<OnceRow, 'digest' | 'result'> | OnceRow
> = {
  name: 'idempotency',
  read: {
    sqlite: `SELECT json_group_array(json_array(i.account, i.operation, i.key, i.request_digest,
        i.result)) FROM json_each(?) k CROSS JOIN idempotency i ON i.account = k.value ->> 0
      AND i.operation = k.value ->> 1 AND i.key = k.value ->> 2`,
    postgres: `SELECT json_agg(json_build_array(i.account, i.operation, i.key, i.request_digest,
        i.result))::text FROM jsonb_array_elements(?::jsonb) AS k (value)
      JOIN idempotency i ON i.account = k.value ->> 0
      AND i.operation = k.value ->> 1 AND i.key = k.value ->> 2`,
  },
  id: ({ account, operation, key }) => `${account} ${operation} ${key}`,
  keyCells: ({ account, operation, key }) => [account, operation, key],
  found(cells) {
    const [account, operation, key] = [textCell(cells, 0), textCell(cells, 1), textCell(cells, 2)];
    const row = { digest: textCell(cells, 3), result: textCell(cells, 4) };
    return [`${account} ${operation} ${key}`, row];
  },
  inserted(row) {
    assert('account' in row, 'a row that was read is not inserted');
    const { account, operation, key, digest, at, result, transferId } = row;
    return [account, operation, key, digest, at, result, transferId ?? null];
  },
};

/** `once` for a declared unit, which needs the key of `IDEMPOTENCY`. */
export function onceDeclared<T>(
  db: Decider,
  once: OnceKey,
  at: Instant,
  decide: () => T,
): OnceOutcome<T> {
  const known = db.find(IDEMPOTENCY, once);
  if (known !== undefined) {
    if (known.digest !== once.digest) return { mismatch: true };
    const result: unknown = JSON.parse(known.result);
    return { result, repeated: true };
  }
  const first = db.posted.length;
  const result = decide();
  const kept = { ...once, at, result: JSON.stringify(result), transferId: db.posted[first] };
  db.put(IDEMPOTENCY, once, kept);
  return { result, repeated: false };
}
