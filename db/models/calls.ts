import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { commitmentId, transferId } from '../../domain/ledger/transfer.ts';
import {
  FINISH_REASONS,
  MODEL_OUTCOMES,
  type ModelReceipt,
  type ProviderRefusal,
} from '../../domain/models/receipt.ts';
import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Cell, type Row, type Writer } from '../connection.ts';

/** The table of model calls. One that runs has one writer: whoever locks its row first ends it. */
export const MODEL_CALL_COLUMNS = [
  'id',
  'payer',
  'network',
  'door',
  'api_key_hint',
  'model',
  'max_tokens',
  'at',
  'held',
  'service',
  'resolve_at',
  'ended_at',
  'outcome',
  'reason',
  'finish_reason',
  'input_tokens',
  'output_tokens',
  'usage_source',
  'charged',
  'borne',
  'hold_id',
  'duration_ms',
  'first_token_ms',
  'served_by',
  'price_input',
  'price_output',
  'refused',
  'transfer_id',
] as const;
/** What is said once, when the call begins. */
export const MODEL_CALL_FIXED = 10;

/** In the order of the columns. */
export function modelCallCells(receipt: ModelReceipt): readonly Cell[] {
  const { usage, price } = receipt;
  return [
    receipt.id,
    receipt.payer,
    receipt.network,
    receipt.door,
    receipt.apiKeyHint ?? null,
    receipt.model,
    receipt.maxTokens,
    receipt.at,
    `${receipt.held}`,
    receipt.service ?? null,
    receipt.resolveAt,
    receipt.endedAt ?? null,
    receipt.outcome,
    receipt.reason ?? null,
    receipt.finishReason ?? null,
    usage.input,
    usage.output,
    usage.source,
    `${receipt.charged}`,
    `${receipt.borne}`,
    receipt.holdId ?? null,
    receipt.durationMs,
    receipt.firstTokenMs ?? null,
    receipt.servedBy ?? null,
    `${price.input}`,
    `${price.output}`,
    JSON.stringify(receipt.refused),
    receipt.transferId ?? null,
  ];
}

const RENEW = statement(`
  UPDATE model_calls SET resolve_at = ?, output_tokens = ?, served_by = ?, price_input = ?,
    price_output = ? WHERE id = ? AND outcome = 'running' RETURNING 1 AS renewed`);

/** Says that a call is still made, and what it has given; false when somebody has ended it. */
export async function renewModelCall(
  tx: Writer,
  { id, resolveAt, usage, servedBy, price }: ModelReceipt,
): Promise<boolean> {
  const prices = [`${price.input}`, `${price.output}`];
  const values = [resolveAt, usage.output, servedBy ?? null, ...prices, id];
  return (await linkOf(tx).rows(RENEW, values)).length > 0;
}

const READ = statement('SELECT * FROM model_calls WHERE id = ?');

export async function readModelCall(db: Reader, id: string): Promise<ModelReceipt | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [id]));
  return row && receiptOf(row);
}

const STALE = statement(`
  SELECT id FROM model_calls WHERE outcome = 'running' AND resolve_at <= ?
  ORDER BY resolve_at LIMIT ?`);

/** Calls that no process is making any more. */
export async function staleModelCalls(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(STALE, [now, limit]);
  return rows.map((row) => column.text(row, 'id'));
}

const PAGE = statement(`
  SELECT * FROM model_calls WHERE payer = ? AND network = ? AND id < ? ORDER BY id DESC LIMIT ?`);
/** Sorts after every id. */
const NEWEST = 'g';

/** A page of receipts, newest first; `next` is the `before` of the page that follows. */
export async function modelCallPage(
  db: Reader,
  of: { readonly payer: Account; readonly network: NetworkId },
  { limit, before }: { readonly limit: number; readonly before?: string },
): Promise<{ readonly receipts: readonly ModelReceipt[]; readonly next?: string }> {
  const values = [of.payer, of.network, before ?? NEWEST, limit + 1];
  const rows = await linkOf(db).rows(PAGE, values);
  const receipts = rows.slice(0, limit).map(receiptOf);
  const last = receipts.at(-1);
  return { receipts, ...(rows.length > limit && last !== undefined && { next: last.id }) };
}

export function receiptOf(row: Row): ModelReceipt {
  const outcome = MODEL_OUTCOMES.find((each) => each === row['outcome']);
  const network = parseNetworkId(column.text(row, 'network'));
  if (outcome === undefined || network === undefined) throw new Error('a damaged model call');
  const finishReason = FINISH_REASONS.find((each) => each === row['finish_reason']);
  const endedAt = column.timeOrNull(row, 'ended_at');
  const firstTokenMs = column.wholeOrNull(row, 'first_token_ms');
  const [reason, servedBy, apiKeyHint, service, hold, paid] = [
    'reason',
    'served_by',
    'api_key_hint',
    'service',
    'hold_id',
    'transfer_id',
  ].map((name) => column.textOrNull(row, name) ?? undefined);
  return {
    id: column.text(row, 'id'),
    at: column.time(row, 'at'),
    payer: column.account(row, 'payer'),
    network,
    door: row['door'] === 'v1' ? 'v1' : 'api',
    ...defined({ apiKeyHint, service }),
    model: column.text(row, 'model'),
    maxTokens: column.whole(row, 'max_tokens'),
    resolveAt: column.time(row, 'resolve_at'),
    ...(endedAt !== null && { endedAt }),
    outcome,
    ...defined({ reason, finishReason }),
    usage: {
      input: column.whole(row, 'input_tokens'),
      output: column.whole(row, 'output_tokens'),
      source: row['usage_source'] === 'provider' ? 'provider' : 'counted',
    },
    held: column.amount(row, 'held'),
    charged: column.amount(row, 'charged'),
    borne: column.amount(row, 'borne'),
    ...(hold !== undefined && { holdId: commitmentId(hold) }),
    durationMs: column.whole(row, 'duration_ms'),
    ...(firstTokenMs !== null && { firstTokenMs }),
    ...defined({ servedBy }),
    price: {
      input: column.signed(row, 'price_input'),
      output: column.signed(row, 'price_output'),
    },
    refused: JSON.parse(column.text(row, 'refused')) as readonly ProviderRefusal[],
    ...(paid !== undefined && { transferId: transferId(paid) }),
  };
}
