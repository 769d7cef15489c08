import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { transferId, type CommitmentId, type TransferId } from '../../domain/ledger/transfer.ts';
import { atomic, ZERO } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Price } from '../../domain/registry/listing.ts';
import type { Breaker } from '../../domain/router/breaker.ts';
import { CALL_OUTCOMES } from '../../domain/router/receipt.ts';
import type {
  Considered,
  Receipt,
  Refusal,
  Unmet,
  UpstreamReceipt,
} from '../../domain/router/receipt.ts';
import { STAYS } from '../batch/personal.ts';
import * as column from '../batch/columns.ts';
import type { Column } from '../batch/columns.ts';
import { shaped, table, type DescribedTable } from '../batch/table.ts';
import { amount, one, text, textOrNull } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { ACCOUNTS } from '../ledger/accountsTable.ts';
import { TRANSFERS } from '../ledger/ledgerTables.ts';
import { address, hashOrNull, oneOf } from '../rails/columns.ts';

/** A list whose prices are amounts; they are text in JSON. */
function priced<T extends { readonly price?: Price }>(): Column<readonly T[]> {
  const revive = (key: string, value: unknown): unknown =>
    key === 'amount' && typeof value === 'string' ? atomic(BigInt(value)) : value;
  return column.column<readonly T[]>(
    'text',
    (list) =>
      JSON.stringify(list, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    (cell) => JSON.parse(String(cell), revive) as readonly T[],
  );
}

/** Running calls; a finished one is not found. The first unit that locks a row ends it. */
export const CALLS = shaped(
  table(
    'calls',
    {
      id: column.text().key(),
      caller: column.account().fixed(),
      network: column.network().fixed(),
      operation: column.text().fixed(),
      maxPrice: column.amount().fixed().optional(),
      at: column.moment().fixed(),
      resolveAt: column.moment().fixed(),
      endedAt: column.moment().optional(),
      outcome: column.oneOf(CALL_OUTCOMES).guard(),
      why: column.text(),
      listingId: column.text().optional(),
      endpoint: column.text().optional(),
      listedPrice: column.amount().optional(),
      quotedPrice: column.amount().optional(),
      cost: column.amount(),
      durationMs: column.integer(),
      responseHash: column.text().optional(),
      responseBytes: column.integer(),
      refused: priced<Refusal>(),
      considered: priced<Considered>(),
      acceptHash: column.text().fixed().optional(),
      unmet: column.json<Unmet>().optional(),
      holdId: column.text<CommitmentId>().optional(),
      held: column.amount(),
      paidTo: column.account().optional(),
      transferId: column.text<TransferId>().optional(),
    },
    {
      personal: { owner: 'caller', order: ['network', 'id'], stays: STAYS.books },
      only: { outcome: 'running' },
      remembered: 'rows',
      after: [TRANSFERS],
    },
  ),
  {
    of: ({ holdId, held, ...call }): Receipt => ({
      ...call,
      ...(holdId !== undefined && { hold: { id: holdId, amount: held } }),
    }),
    flat: ({ hold, ...call }) => ({
      ...call,
      ...defined({ holdId: hold?.id }),
      held: hold?.amount ?? ZERO,
    }),
  },
);

type KnownBreaker = Breaker & { readonly endpoint: string };
/** Faults in a row of each endpoint that had one. */
export const BREAKERS: DescribedTable<string, KnownBreaker> = table(
  'call_breakers',
  {
    endpoint: column.text().key(),
    faults: column.integer().guard(),
    restsUntil: column.moment().guard().optional(),
  },
  {
    personal: { apart: 'faults of endpoints, about no account' },
    removes: true,
    under: [CALLS],
    after: [ACCOUNTS],
    remembered: 'rows',
  },
);

/** With the payment on the chain that was made for it, if one was. */
const FOUND = `SELECT c.*, u.amount AS upstream_amount, u.pay_to AS upstream_pay_to,
    u.state AS upstream_state, u.transaction_hash AS upstream_hash, u.transfer_id AS upstream_transfer
  FROM calls c LEFT JOIN x402_upstream u ON u.call_id = c.id`;
const READ = statement(`${FOUND} WHERE c.id = ?`);
export async function readCall(db: Reader, id: string): Promise<Receipt | undefined> {
  const row = one(await linkOf(db).rows(READ, [id]));
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
  return rows.map((row) => text(row, 'id'));
}

const UNLOGGED = statement(`
  ${FOUND} WHERE c.logged = 0 AND c.outcome <> 'running' ORDER BY c.id LIMIT ?`);
const LOGGED = inListStatement((given) => `UPDATE calls SET logged = 1 WHERE id ${given}`);

/** Receipts of calls that are over and have no leaf in the log yet. */
export async function unloggedCalls(db: Reader, limit: number): Promise<readonly Receipt[]> {
  return (await linkOf(db).rows(UNLOGGED, [limit])).map(receiptOf);
}

export async function markLogged(tx: Writer, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await linkOf(tx).rows(LOGGED, [ids]);
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

function receiptOf(row: Row): Receipt {
  const receipt = CALLS.fromRow(row);
  return row['upstream_state'] === null ? receipt : { ...receipt, upstream: upstreamOf(row) };
}

function upstreamOf(row: Row): UpstreamReceipt {
  const transaction = hashOrNull(row, 'upstream_hash');
  const moved = textOrNull(row, 'upstream_transfer');
  return {
    amount: amount(row, 'upstream_amount'),
    payTo: address(row, 'upstream_pay_to'),
    state: oneOf(row, 'upstream_state', ['open', 'settled', 'returned']),
    ...(transaction !== null && { transaction }),
    ...(moved !== null && { transferId: transferId(moved) }),
  };
}
