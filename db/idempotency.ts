import { strict as assert } from 'node:assert';
import type { Account } from '../domain/account.ts';
import { defined } from '../domain/defined.ts';
import type { Instant } from '../domain/instant.ts';
import { account, moment, text } from './batch/columns.ts';
import { table } from './batch/table.ts';
import { TRANSFERS } from './ledger/ledgerTables.ts';
import * as column from './columns.ts';
import { linkOf, statement, type Reader, type Writer } from './connection.ts';
import type { Decider } from './batch/transaction.ts';
import { SWEEP_ROWS_MAX } from './sweep.ts';

/** A once-only call (choices ledger.idempotency). No account can probe the keys of another. */
export interface OnceKey {
  /** The account whose money or escrow moves. */
  readonly account: Account;
  readonly operation: string;
  /** The caller's idempotency key: 1 to 128 printable ASCII characters. */
  readonly key: string;
  /** SHA-256, in hex, of the canonical path and body without the key. */
  readonly digest: string;
  /** When its record may go; one that may move money is kept for a year. */
  readonly until?: Instant;
}
export type OnceOutcome<T> =
  | { readonly result: T; readonly repeated: false }
  | { readonly result: unknown; readonly repeated: true }
  | { readonly mismatch: true };

const TAKE = statement(`INSERT INTO idempotency (account, operation, key, request_digest, at, until)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (account, operation, key) DO NOTHING RETURNING 1 AS taken`);
const READ = statement(`SELECT request_digest, result FROM idempotency
  WHERE account = ? AND operation = ? AND key = ?`);
const KEEP = statement(`UPDATE idempotency SET result = ?, transfer_id = ?
  WHERE account = ? AND operation = ? AND key = ?`);

/**
 * Runs `work` unless the key was used. The row goes in first, so a concurrent twin on PostgreSQL
 * waits and reads the result. A refusal rolls the row back: only success uses a key up.
 */
export async function once<T>(
  tx: Writer,
  { account, operation, key, digest, until }: OnceKey,
  at: Instant,
  work: () => Promise<T>,
): Promise<OnceOutcome<T>> {
  const link = linkOf(tx);
  const scope = [account, operation, key];
  if ((await link.rows(TAKE, [...scope, digest, at, until ?? null])).length === 0) {
    const row = column.one(await link.rows(READ, scope));
    assert(row !== undefined, 'a used key has its row');
    if (column.text(row, 'request_digest') !== digest) return { mismatch: true };
    return { result: column.json(row, 'result'), repeated: true };
  }
  const first = tx.posted.length;
  const result = await work();
  await link.rows(KEEP, [JSON.stringify(result), tx.posted[first] ?? null, ...scope]);
  return { result, repeated: false };
}

export async function readOnce(
  db: Reader,
  { account, operation, key, digest }: OnceKey,
): Promise<OnceOutcome<unknown> | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [account, operation, key]));
  if (row === undefined) return undefined;
  if (column.text(row, 'request_digest') !== digest) return { mismatch: true };
  return { result: column.json(row, 'result'), repeated: true };
}

/** A retry comes within minutes or days; older records are deleted. */
const ONCE_KEPT_MS = 365 * 86_400_000;
/** The records of the house are kept: its money is issued once, whenever a hub starts. */
const OLD = `at < ? AND (account LIKE 'key:%' OR account LIKE 'evm:%') ORDER BY at`;
const SWEEP = sweeping(OLD);
const SWEEP_ENDED = sweeping('until < ? ORDER BY until');

function sweeping(which: string) {
  return statement(`DELETE FROM idempotency WHERE (account, operation, key) IN (
    SELECT account, operation, key FROM idempotency WHERE ${which} LIMIT ${SWEEP_ROWS_MAX})
    RETURNING 1 AS gone`);
}

/** Deletes records that are older than a year, at most 10,000; returns how many. */
export async function sweepIdempotency(tx: Writer, now: Instant): Promise<number> {
  return (await linkOf(tx).rows(SWEEP, [now - ONCE_KEPT_MS])).length;
}

/** The same for records that were kept for less. */
export async function sweepEndedKeys(tx: Writer, now: Instant): Promise<number> {
  return (await linkOf(tx).rows(SWEEP_ENDED, [now])).length;
}

/** Once-only calls that counted; `result` is JSON text. */
export const IDEMPOTENCY = table(
  'idempotency',
  {
    account: account().key(),
    operation: text().key(),
    key: text().key(),
    requestDigest: text().fixed(),
    at: moment().fixed(),
    result: text().fixed(),
    transferId: text().fixed().optional(),
    until: moment().fixed().optional(),
  },
  {
    personal: {
      apart: 'answers that calls got already; wallet.erase empties those with texts',
    },
    lock: 'none',
    remembered: 'new keys',
    after: [TRANSFERS],
  },
);

export function onceIn<T>(
  db: Decider,
  once: OnceKey,
  at: Instant,
  decide: () => T,
): OnceOutcome<T> {
  const known = knownOnce(db, once);
  if (known !== undefined) return known;
  const first = db.posted.length;
  const result = decide();
  keepOnce(db, once, { result, at, ...defined({ transferId: db.posted[first] }) });
  return { result, repeated: false };
}

export function knownOnce(db: Decider, once: OnceKey): KnownOutcome | undefined {
  const known = db.find(IDEMPOTENCY, once);
  if (known === undefined) return undefined;
  if (known.requestDigest !== once.digest) return { mismatch: true };
  return { result: JSON.parse(known.result) as unknown, repeated: true };
}
type KnownOutcome = Exclude<OnceOutcome<never>, { readonly repeated: false }>;

/** Uses a key up that was found unused. */
export function keepOnce(
  db: Decider,
  once: OnceKey,
  kept: { readonly result: unknown; readonly at: Instant; readonly transferId?: string },
): void {
  const { result, at, transferId } = kept;
  db.put(IDEMPOTENCY, once, {
    ...once,
    requestDigest: once.digest,
    at,
    result: JSON.stringify(result),
    ...defined({ transferId, until: once.until }),
  });
}
