import type { KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Cell, type Reader, type Row, type Writer } from '../connection.ts';
import { countHosted, type Counted } from './agents.ts';

/** Who called a hosted agent and how it ended; what was asked and answered is not kept. */
export interface HostedCall {
  readonly id: string;
  readonly keyId: KeyId;
  readonly at: Instant;
  /** An account, or `visitor`. */
  readonly caller: string;
  readonly tool: string;
  readonly price: Atomic;
  readonly outcome: Counted['outcome'];
  readonly why: string;
  readonly durationMs: number;
  readonly receiptId?: string;
}

const COLUMNS = [
  'id',
  'key_id',
  'at',
  'caller',
  'tool',
  'price',
  'outcome',
  'why',
  'duration_ms',
  'receipt_id',
] as const;
const INSERT = statement(`
  INSERT INTO hosted_calls (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`);

/** In the order of the columns. */
export function hostedCallCells(call: HostedCall): readonly Cell[] {
  const { id, keyId, at, caller, tool, price, outcome, why, durationMs, receiptId } = call;
  return [id, keyId, at, caller, tool, `${price}`, outcome, why, durationMs, receiptId ?? null];
}

/** Notes a call and counts it; `earned` is what the holder was paid for it. */
export async function insertHostedCall(tx: Writer, call: HostedCall): Promise<void> {
  const { keyId, price, outcome } = call;
  await linkOf(tx).rows(INSERT, hostedCallCells(call));
  await countHosted(tx, keyId, { outcome, earned: outcome === 'served' ? price : 0n });
}

const PAGE = statement(`
  SELECT * FROM hosted_calls WHERE key_id = ? AND id < ? ORDER BY id DESC LIMIT ?`);
/** Sorts after every id. */
const NEWEST = 'g';

/** A page, newest first; `next` is the `before` of the page that follows. */
export async function hostedCallPage(
  db: Reader,
  keyId: KeyId,
  { limit, before }: { readonly limit: number; readonly before?: string },
): Promise<{ readonly calls: readonly HostedCall[]; readonly next?: string }> {
  const rows = await linkOf(db).rows(PAGE, [keyId, before ?? NEWEST, limit + 1]);
  const calls = rows.slice(0, limit).map(callOf);
  const last = calls.at(-1);
  return { calls, ...(rows.length > limit && last !== undefined && { next: last.id }) };
}

/** As many as are kept for one agent. */
export const HOSTED_CALLS_KEPT = 1_000;
const TRIM = statement(`
  DELETE FROM hosted_calls WHERE id IN (
    SELECT c.id FROM hosted_calls c WHERE c.key_id = ? AND c.id < (
      SELECT n.id FROM hosted_calls n WHERE n.key_id = ? ORDER BY n.id DESC LIMIT 1 OFFSET ?)
    ORDER BY c.id LIMIT ?)
  RETURNING id`);
const LONG = statement(`
  SELECT key_id FROM hosted_calls GROUP BY key_id HAVING count(*) > ? LIMIT 50`);

/** Agents that have more than is kept. */
export async function longCallLists(db: Reader): Promise<readonly KeyId[]> {
  const rows = await linkOf(db).rows(LONG, [HOSTED_CALLS_KEPT]);
  return rows.map((row) => column.text(row, 'key_id') as KeyId);
}

/** Drops the oldest, a batch at a time. */
export async function trimCalls(tx: Writer, keyId: KeyId, batch: number): Promise<number> {
  const values = [keyId, keyId, HOSTED_CALLS_KEPT - 1, batch];
  return (await linkOf(tx).rows(TRIM, values)).length;
}

function callOf(row: Row): HostedCall {
  const receiptId = column.textOrNull(row, 'receipt_id');
  return {
    id: column.text(row, 'id'),
    keyId: column.text(row, 'key_id') as KeyId,
    at: column.time(row, 'at'),
    caller: column.text(row, 'caller'),
    tool: column.text(row, 'tool'),
    price: column.amount(row, 'price'),
    outcome: column.text(row, 'outcome') as HostedCall['outcome'],
    why: column.text(row, 'why'),
    durationMs: column.whole(row, 'duration_ms'),
    ...(receiptId !== null && { receiptId }),
  };
}
