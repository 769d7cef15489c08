import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { transferId, type TransferId } from '../../domain/ledger/transfer.ts';
import { parseNetworkId } from '../../domain/network.ts';
import { LICENSING_REASONS } from '../../domain/router/review.ts';
import type { Review, Settlement } from '../../domain/router/review.ts';
import * as columns from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { shaped, table } from '../batch/table.ts';

/** Reviews, each with the payment that licenses it. */
export const REVIEWS = shaped(
  table(
    'reviews',
    {
      id: columns.text().key(),
      listingId: columns.text(),
      reviewer: columns.account(),
      payee: columns.account(),
      rating: columns.integer(),
      transferId: columns.text<TransferId>(),
      reason: columns.oneOf(LICENSING_REASONS),
      amount: columns.amount(),
      network: columns.network(),
      settledAt: columns.moment(),
      operation: columns.text().optional(),
      at: columns.moment(),
    },
    { use: 'single', personal: { owner: 'reviewer', stays: 'It moved the karma of another.' } },
  ),
  {
    of({ id, listingId, reviewer, rating, at, settledAt, operation, ...settlement }): Review {
      const call = operation === undefined ? undefined : { listingId, operation };
      const paid = { ...settlement, payer: reviewer, at: settledAt, ...defined({ call }) };
      return { id, listingId, reviewer, rating, at, settlement: paid };
    },
    flat({ id, listingId, reviewer, rating, at, settlement: { call, ...settlement } }) {
      const { payee, transferId, reason, amount, network, at: settledAt } = settlement;
      const paid = { payee, transferId, reason, amount, network, settledAt };
      const { operation } = call ?? {};
      return { id, listingId, reviewer, rating, at, ...paid, ...defined({ operation }) };
    },
  },
);

const REASONS = LICENSING_REASONS.map((reason) => `'${reason}'`).join(', ');
const SETTLEMENT = statement(`
  SELECT t.id, t.network, t.at, e.reason, e.delta, a.name AS payee, e.counterparty AS payer,
    k.listing_id, k.operation
  FROM transfers t JOIN entries e ON e.transfer_seq = t.seq JOIN accounts a ON a.id = e.account_id
    LEFT JOIN calls k ON k.transfer_id = t.id
  WHERE t.id = ? AND e.kind = 'move' AND e.delta > 0 AND e.reason IN (${REASONS})
    AND a.name = ? AND e.counterparty = ?
  ORDER BY e.delta DESC LIMIT 1`);

/** Returns the payment of a transfer from one account to another, if it licenses a review. */
export async function settlementOf(
  db: Reader,
  id: string,
  { payer, payee }: { readonly payer: Account; readonly payee: Account },
): Promise<Settlement | undefined> {
  const row = column.one(await linkOf(db).rows(SETTLEMENT, [id, payee, payer]));
  return row && settlementIn(row);
}

const INSERT = statement(`
  ${REVIEWS.insertion} ON CONFLICT (transfer_id) DO NOTHING RETURNING 1 AS done`);

/** Answers whether the settlement had licensed no review before. */
export async function insertReview(tx: Writer, review: Review): Promise<boolean> {
  return (await linkOf(tx).rows(INSERT, REVIEWS.cells(review))).length > 0;
}

const PAGE = statement(`
  SELECT r.*, s.block_no, s.digest FROM reviews r JOIN transfers t ON t.id = r.transfer_id
    LEFT JOIN seals s ON s.block_no = (
      SELECT z.block_no FROM seals z WHERE z.to_seq >= t.seq ORDER BY z.to_seq LIMIT 1)
  WHERE r.listing_id = ? AND r.id < ? ORDER BY r.id DESC LIMIT ?`);
/** Sorts after every id. */
const NEWEST = 'g';

/** A page of reviews, newest first; `next` is the `before` of the page that follows. */
export async function reviewPage(
  db: Reader,
  listingId: string,
  { limit, before }: { readonly limit: number; readonly before?: string },
): Promise<{ readonly reviews: readonly Review[]; readonly next?: string }> {
  const rows = await linkOf(db).rows(PAGE, [listingId, before ?? NEWEST, limit + 1]);
  const reviews = rows.slice(0, limit).map(reviewIn);
  const last = reviews.at(-1);
  return { reviews, ...(rows.length > limit && last !== undefined && { next: last.id }) };
}

const SUMS = statement(`
  SELECT rating, CAST(count(*) AS INTEGER) AS reviews FROM reviews WHERE listing_id = ?
  GROUP BY rating`);
const REVIEWERS = statement(`
  SELECT CAST(count(DISTINCT reviewer) AS INTEGER) AS reviewers FROM reviews WHERE listing_id = ?`);

export interface Ratings {
  /** How many gave 1, 2, 3, 4 and 5. */
  readonly byRating: readonly number[];
  readonly reviewers: number;
}

export async function ratingsOf(db: Reader, listingId: string): Promise<Ratings> {
  const link = linkOf(db);
  const rows = await link.rows(SUMS, [listingId]);
  const counts = new Map(
    rows.map((row) => [column.whole(row, 'rating'), column.whole(row, 'reviews')]),
  );
  const sum = column.one(await link.rows(REVIEWERS, [listingId]));
  return {
    byRating: [1, 2, 3, 4, 5].map((rating) => counts.get(rating) ?? 0),
    reviewers: sum === undefined ? 0 : column.whole(sum, 'reviewers'),
  };
}

function reviewIn(row: Row): Review {
  return {
    ...REVIEWS.fromRow(row),
    ...(row['block_no'] !== null && {
      seal: { blockNo: column.whole(row, 'block_no'), digest: column.text(row, 'digest') },
    }),
  };
}

function settlementIn(row: Row): Settlement {
  const reason = LICENSING_REASONS.find((each) => each === row['reason']);
  const network = parseNetworkId(column.text(row, 'network'));
  if (reason === undefined || network === undefined) throw new Error('a damaged settlement');
  const operation = column.textOrNull(row, 'operation');
  return {
    transferId: transferId(column.text(row, 'id')),
    reason,
    amount: column.amount(row, 'delta'),
    network,
    payer: column.account(row, 'payer'),
    payee: column.account(row, 'payee'),
    at: column.time(row, 'at'),
    ...(operation !== null && {
      call: { listingId: column.text(row, 'listing_id'), operation },
    }),
  };
}
