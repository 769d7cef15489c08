import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { commitmentId, transferId } from '../../domain/ledger/transfer.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import type { Price } from '../../domain/registry/listing.ts';
import { CALL_OUTCOMES } from '../../domain/router/receipt.ts';
import type { Considered, Receipt, Refusal, UpstreamReceipt } from '../../domain/router/receipt.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Cell, type Reader, type Row, type Writer } from '../connection.ts';
import { address, hashOrNull, oneOf } from '../rails/columns.ts';

/** The table of calls. A call that runs has one writer: whoever locks its row first ends it. */
export const CALL_COLUMNS = [
  'id',
  'caller',
  'network',
  'operation',
  'max_price',
  'at',
  'resolve_at',
  'ended_at',
  'outcome',
  'why',
  'listing_id',
  'endpoint',
  'listed_price',
  'quoted_price',
  'cost',
  'duration_ms',
  'response_hash',
  'response_bytes',
  'refused',
  'considered',
  'hold_id',
  'held',
  'paid_to',
  'transfer_id',
] as const;
/** What is said once, when the call begins. */
export const FIXED_COLUMNS = 7;
const INSERT = statement(`
  INSERT INTO calls (${CALL_COLUMNS.join(', ')}) VALUES (${CALL_COLUMNS.map(() => '?').join(', ')})`);
const UPDATE = statement(`
  UPDATE calls SET ${CALL_COLUMNS.slice(FIXED_COLUMNS)
    .map((name) => `${name} = ?`)
    .join(', ')} WHERE id = ?`);

export async function insertCall(tx: Writer, receipt: Receipt): Promise<void> {
  await linkOf(tx).rows(INSERT, callCells(receipt));
}

export async function updateCall(tx: Writer, receipt: Receipt): Promise<void> {
  await linkOf(tx).rows(UPDATE, [...callCells(receipt).slice(FIXED_COLUMNS), receipt.id]);
}

/** In the order of the columns. */
export function callCells(receipt: Receipt): readonly Cell[] {
  return [
    receipt.id,
    receipt.caller,
    receipt.network,
    receipt.operation,
    digits(receipt.maxPrice),
    receipt.at,
    receipt.resolveAt,
    receipt.endedAt ?? null,
    receipt.outcome,
    receipt.why,
    receipt.listingId ?? null,
    receipt.endpoint ?? null,
    digits(receipt.listedPrice),
    digits(receipt.quotedPrice),
    `${receipt.cost}`,
    receipt.durationMs,
    receipt.responseHash ?? null,
    receipt.responseBytes,
    JSON.stringify(receipt.refused.map(storedPrice)),
    JSON.stringify(receipt.considered.map(storedPrice)),
    receipt.hold?.id ?? null,
    `${receipt.hold?.amount ?? 0n}`,
    receipt.paidTo ?? null,
    receipt.transferId ?? null,
  ];
}

function digits(amount: Atomic | undefined): string | null {
  return amount === undefined ? null : `${amount}`;
}

/** With the payment on the chain that was made for it, if one was. */
const FOUND = `SELECT c.*, u.amount AS upstream_amount, u.pay_to AS upstream_pay_to,
    u.state AS upstream_state, u.transaction_hash AS upstream_hash, u.transfer_id AS upstream_transfer
  FROM calls c LEFT JOIN x402_upstream u ON u.call_id = c.id`;
const READ = statement(`${FOUND} WHERE c.id = ?`);
const LOCK = statement(
  `${FOUND} WHERE c.id = ? AND c.outcome = 'running'`,
  `${FOUND} WHERE c.id = ? AND c.outcome = 'running' FOR UPDATE OF c`,
);

export async function readCall(db: Reader, id: string): Promise<Receipt | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [id]));
  return row && receiptOf(row);
}

/** The call while it runs, locked; undefined when somebody has ended it. */
export async function lockRunning(tx: Writer, id: string): Promise<Receipt | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCK, [id]));
  return row && receiptOf(row);
}

const STALE = statement(`
  SELECT id FROM calls WHERE outcome = 'running' AND resolve_at <= ? ORDER BY resolve_at LIMIT ?`);

/** Calls that no process can still be making. */
export async function staleCalls(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(STALE, [now, limit]);
  return rows.map((row) => column.text(row, 'id'));
}

const PAGE = statement(`
  ${FOUND} WHERE c.caller = ? AND c.network = ? AND c.id < ?
    AND (CAST(? AS TEXT) IS NULL OR c.operation = ?)
    AND (CAST(? AS TEXT) IS NULL OR c.listing_id = ?) ORDER BY c.id DESC LIMIT ?`);
/** Sorts after every id. */
const NEWEST = 'g';

export interface CallFilter {
  readonly caller: Account;
  readonly network: NetworkId;
  readonly operation?: string;
  /** The listing that answered. */
  readonly agentId?: string;
}

/** A page of receipts, newest first; `next` is the `before` of the page that follows. */
export async function callPage(
  db: Reader,
  { caller, network, operation, agentId }: CallFilter,
  { limit, before }: { readonly limit: number; readonly before?: string },
): Promise<{ readonly receipts: readonly Receipt[]; readonly next?: string }> {
  const named = [operation ?? null, agentId ?? null];
  const only = named.flatMap((each) => [each, each]);
  const values = [caller, network, before ?? NEWEST, ...only, limit + 1];
  const rows = await linkOf(db).rows(PAGE, values);
  const receipts = rows.slice(0, limit).map(receiptOf);
  const last = receipts.at(-1);
  return { receipts, ...(rows.length > limit && last !== undefined && { next: last.id }) };
}

export function receiptOf(row: Row): Receipt {
  const outcome = CALL_OUTCOMES.find((each) => each === row['outcome']);
  const network = parseNetworkId(column.text(row, 'network'));
  if (outcome === undefined || network === undefined) throw new Error('a damaged call');
  const endedAt = column.timeOrNull(row, 'ended_at');
  return {
    id: column.text(row, 'id'),
    caller: column.account(row, 'caller'),
    network,
    operation: column.text(row, 'operation'),
    at: column.time(row, 'at'),
    resolveAt: column.time(row, 'resolve_at'),
    ...(endedAt !== null && { endedAt }),
    outcome,
    why: column.text(row, 'why'),
    ...amountIn(row, 'maxPrice', 'max_price'),
    ...amountIn(row, 'listedPrice', 'listed_price'),
    ...amountIn(row, 'quotedPrice', 'quoted_price'),
    ...textIn(row, 'listingId', 'listing_id'),
    ...textIn(row, 'endpoint', 'endpoint'),
    ...textIn(row, 'responseHash', 'response_hash'),
    cost: column.amount(row, 'cost'),
    durationMs: column.whole(row, 'duration_ms'),
    responseBytes: column.whole(row, 'response_bytes'),
    refused: listIn<Refusal>(row, 'refused'),
    considered: listIn<Considered>(row, 'considered'),
    ...(row['hold_id'] !== null && {
      hold: {
        id: commitmentId(column.text(row, 'hold_id')),
        amount: column.amount(row, 'held'),
      },
    }),
    ...(row['paid_to'] !== null && { paidTo: column.account(row, 'paid_to') }),
    ...(row['transfer_id'] !== null && { transferId: transferId(column.text(row, 'transfer_id')) }),
    ...(row['upstream_state'] !== null && { upstream: upstreamOf(row) }),
  };
}

function upstreamOf(row: Row): UpstreamReceipt {
  const transaction = hashOrNull(row, 'upstream_hash');
  const moved = column.textOrNull(row, 'upstream_transfer');
  return {
    amount: column.amount(row, 'upstream_amount'),
    payTo: address(row, 'upstream_pay_to'),
    state: oneOf(row, 'upstream_state', ['open', 'settled', 'returned']),
    ...(transaction !== null && { transaction }),
    ...(moved !== null && { transferId: transferId(moved) }),
  };
}

function amountIn<Name extends string>(
  row: Row,
  name: Name,
  stored: string,
): { readonly [N in Name]?: Atomic } {
  const value = column.amountOrNull(row, stored);
  const found: { [N in Name]?: Atomic } = {};
  if (value !== null) found[name] = value;
  return found;
}

function textIn<Name extends string>(
  row: Row,
  name: Name,
  stored: string,
): { readonly [N in Name]?: string } {
  const value = column.textOrNull(row, stored);
  const found: { [N in Name]?: string } = {};
  if (value !== null) found[name] = value;
  return found;
}

/** Amounts are text in JSON. Only `callCells` writes these lists. */
function storedPrice<T extends { readonly price?: Price }>(each: T): object {
  if (each.price === undefined) return each;
  return { ...each, price: { ...each.price, amount: `${each.price.amount}` } };
}

function listIn<T extends { readonly price?: Price }>(row: Row, name: string): readonly T[] {
  const revive = (key: string, value: unknown): unknown =>
    key === 'amount' && typeof value === 'string' ? atomic(BigInt(value)) : value;
  return JSON.parse(column.text(row, name), revive) as readonly T[];
}
