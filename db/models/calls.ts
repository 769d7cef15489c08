import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { CommitmentId, TransferId } from '../../domain/ledger/transfer.ts';
import {
  FINISH_REASONS,
  MODEL_OUTCOMES,
  type ModelReceipt,
  type ProviderRefusal,
} from '../../domain/models/receipt.ts';
import type { NetworkId } from '../../domain/network.ts';
import { STAYS } from '../batch/personal.ts';
import {
  account,
  amount,
  integer,
  json,
  moment,
  network,
  oneOf,
  signedAmount,
  text,
} from '../batch/columns.ts';
import { shaped, table } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { TRANSFERS } from '../ledger/ledgerTables.ts';
import { inListStatement } from '../inList.ts';

/** Running model calls; a finished one is not found. The first unit that locks a row ends it. */
export const MODEL_CALLS = shaped(
  table(
    'model_calls',
    {
      id: text().key(),
      payer: account().fixed(),
      network: network().fixed(),
      door: oneOf(['api', 'v1']).fixed(),
      apiKeyHint: text().fixed().optional(),
      model: text().fixed(),
      maxTokens: integer().fixed(),
      at: moment().fixed(),
      held: amount().fixed(),
      service: text().fixed().optional(),
      budget: text().fixed().optional(),
      resolveAt: moment(),
      endedAt: moment().optional(),
      outcome: oneOf(MODEL_OUTCOMES).guard(),
      reason: text().optional(),
      finishReason: oneOf(FINISH_REASONS).optional(),
      inputTokens: integer(),
      outputTokens: integer(),
      cachedTokens: integer().optional(),
      usageSource: oneOf(['provider', 'counted']),
      charged: amount(),
      borne: amount(),
      holdId: text<CommitmentId>().optional(),
      durationMs: integer(),
      firstTokenMs: integer().optional(),
      servedBy: text().optional(),
      servedModel: text().optional(),
      priceInput: signedAmount(),
      priceOutput: signedAmount(),
      refused: json<readonly ProviderRefusal[]>(),
      transferId: text<TransferId>().optional(),
    },
    {
      personal: { owner: 'payer', order: ['network', 'id'], stays: STAYS.books },
      only: { outcome: 'running' },
      remembered: 'rows',
      after: [TRANSFERS],
    },
  ),
  {
    of: ({
      inputTokens,
      outputTokens,
      usageSource,
      cachedTokens: cached,
      priceInput,
      priceOutput,
      ...call
    }): ModelReceipt => ({
      ...call,
      usage: {
        input: inputTokens,
        output: outputTokens,
        source: usageSource,
        ...defined({ cached }),
      },
      price: { input: priceInput, output: priceOutput },
    }),
    flat: ({ usage, price, ...call }) => ({
      ...call,
      inputTokens: usage.input,
      outputTokens: usage.output,
      usageSource: usage.source,
      ...defined({ cachedTokens: usage.cached }),
      priceInput: price.input,
      priceOutput: price.output,
    }),
  },
);

const RENEW = statement(`
  UPDATE model_calls SET resolve_at = ?, output_tokens = ?, served_by = ?, price_input = ?,
    price_output = ? WHERE id = ? AND outcome = 'running' RETURNING 1 AS renewed`);

/** Records that a call still runs, and its usage so far. Returns false if it has already ended. */
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
  return row && MODEL_CALLS.fromRow(row);
}

const UNLOGGED = statement(`
  SELECT * FROM model_calls WHERE logged = 0 AND outcome <> 'running' ORDER BY id LIMIT ?`);
const LOGGED = inListStatement((given) => `UPDATE model_calls SET logged = 1 WHERE id ${given}`);

/** Receipts of model calls that are over and have no leaf in the log yet. */
export async function unloggedModelCalls(
  db: Reader,
  limit: number,
): Promise<readonly ModelReceipt[]> {
  return (await linkOf(db).rows(UNLOGGED, [limit])).map(MODEL_CALLS.fromRow);
}

export async function markModelsLogged(tx: Writer, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await linkOf(tx).rows(LOGGED, [ids]);
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
  SELECT * FROM model_calls WHERE payer = ? AND network = ? AND id < ?
    AND (CAST(? AS text) IS NULL OR model = ?)
    AND (CAST(? AS text) IS NULL OR api_key_hint = ?)
    AND at >= ? AND at < ?
  ORDER BY id DESC LIMIT ?`);
/** Sorts after every id. */
const NEWEST = 'g';

const LATEST = Number.MAX_SAFE_INTEGER;

export interface ReceiptsWanted {
  readonly payer: Account;
  readonly network: NetworkId;
  readonly model?: string;
  readonly apiKeyHint?: string;
  /** The first moment, and that after the last one. */
  readonly from?: Instant;
  readonly until?: Instant;
}

/** A page of receipts, newest first; `next` is the `before` of the page that follows. */
export async function modelCallPage(
  db: Reader,
  of: ReceiptsWanted,
  { limit, before }: { readonly limit: number; readonly before?: string },
): Promise<{ readonly receipts: readonly ModelReceipt[]; readonly next?: string }> {
  const { payer, network, model = null, apiKeyHint = null, from = 0, until = LATEST } = of;
  const filters = [model, model, apiKeyHint, apiKeyHint, from, until];
  const values = [payer, network, before ?? NEWEST, ...filters, limit + 1];
  const rows = await linkOf(db).rows(PAGE, values);
  const receipts = rows.slice(0, limit).map(MODEL_CALLS.fromRow);
  const last = receipts.at(-1);
  return { receipts, ...(rows.length > limit && last !== undefined && { next: last.id }) };
}
