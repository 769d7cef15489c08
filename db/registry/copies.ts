import type { Instant } from '../../domain/instant.ts';
import { PROOF_METHODS } from '../../domain/passport/proof.ts';
import type { Listing } from '../../domain/registry/listing.ts';
import type { Signature, Standing } from '../../domain/registry/copies.ts';
import * as columns from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';
import { bulkInsert, bulkRows } from './bulk.ts';
import { toolReader } from './toolTexts.ts';
import { defined } from '../../domain/defined.ts';

const APART = { apart: 'about no account' };

/** Least hashes of the texts of listings, and the bands by which those alike find each other. */
export const LISTING_SIGNATURES = table(
  'listing_signatures',
  {
    listingId: columns.text().key(),
    changedAt: columns.moment(),
    signature: columns.json<Signature>().optional(),
  },
  { use: 'single', personal: APART },
);
export const LISTING_BANDS = table(
  'listing_bands',
  { band: columns.text().key(), listingId: columns.text().key() },
  { use: 'single', personal: APART },
);

export type StandsBy = NonNullable<Listing['standsBy']>;

/** A listing as far as it may copy another. */
export interface Copyable extends Standing {
  readonly name: string;
  readonly operatorId: string;
  readonly standsUnder: string | undefined;
}

export interface ChangedListing extends Copyable {
  readonly description: string;
  readonly changedAt: Instant;
}

const FACTS = 'l.id, l.name, l.operator_id, l.first_seen_at, l.verification, l.stands_under';
const CHANGED = statement(`
  SELECT ${FACTS}, l.description, l.changed_at
    FROM listings AS l LEFT JOIN listing_signatures AS s ON s.listing_id = l.id
    WHERE l.changed_at >= ? AND (s.changed_at IS NULL OR s.changed_at <> l.changed_at)
    ORDER BY l.changed_at, l.id LIMIT ?`);

/** Listings whose text changed since their signature was made, the oldest change first. */
export async function changedListings(
  db: Reader,
  after: Instant,
  limit: number,
): Promise<readonly ChangedListing[]> {
  return (await linkOf(db).rows(CHANGED, [after, limit])).map((row) => ({
    ...copyableOf(row),
    description: column.textOrNull(row, 'description') ?? '',
    changedAt: column.time(row, 'changed_at'),
  }));
}

function copyableOf(row: Row): Copyable {
  const proof = column.textOrNull(row, 'verification');
  return {
    id: column.text(row, 'id'),
    name: column.text(row, 'name'),
    operatorId: column.text(row, 'operator_id'),
    firstSeenAt: column.time(row, 'first_seen_at'),
    isProved: PROOF_METHODS.some((method) => method === proof),
    standsUnder: column.textOrNull(row, 'stands_under') ?? undefined,
  };
}

/** The tools whose texts are compared. */
export const toolTexts = toolReader(100);

const ALIKE_MAX = 200;
const ALIKE = inListStatement(
  (given) => `SELECT ${FACTS}, s.signature
    FROM listings AS l JOIN listing_signatures AS s ON s.listing_id = l.id
    WHERE s.signature IS NOT NULL AND l.id IN (
      SELECT listing_id FROM listing_bands WHERE band ${given} LIMIT ${ALIKE_MAX})`,
);

/** Listings that share a band: candidates, of which most are copies. */
export async function alike(
  db: Reader,
  bands: readonly string[],
): Promise<readonly (Copyable & { readonly signature: Signature })[]> {
  return (await linkOf(db).rows(ALIKE, [bands])).map((row) => ({
    ...copyableOf(row),
    signature: column.json(row, 'signature') as Signature,
  }));
}

const BY_IDS = inListStatement((given) => `SELECT ${FACTS} FROM listings AS l WHERE l.id ${given}`);

export async function copyables(db: Reader, ids: readonly string[]): Promise<readonly Copyable[]> {
  return (await linkOf(db).rows(BY_IDS, [ids])).map(copyableOf);
}

const NAMESAKES = statement(`
  SELECT ${FACTS} FROM listings AS l WHERE l.name_key = ? AND l.operator_id <> ?
    ORDER BY l.first_seen_at, l.id LIMIT 50`);

/** Listings of other operators whose names look like this, those seen first before the others. */
export async function namesakes(
  db: Reader,
  key: string,
  operatorId: string,
): Promise<readonly Copyable[]> {
  return (await linkOf(db).rows(NAMESAKES, [key, operatorId])).map(copyableOf);
}

const HOLD_TEXT = 'SELECT id FROM listings WHERE id = ?';
const HOLD = statement(HOLD_TEXT, `${HOLD_TEXT} FOR NO KEY UPDATE`);

/** Keeps a listing from being removed until the commit; false when it is gone already. */
export async function holdListing(tx: Writer, id: string): Promise<boolean> {
  return (await linkOf(tx).rows(HOLD, [id])).length > 0;
}

const SAVE_SIGNATURES = bulkInsert(LISTING_SIGNATURES, {
  key: ['listing_id'],
  update: [LISTING_SIGNATURES.replacement],
});
const DROP_BANDS = inListStatement(
  (given) => `DELETE FROM listing_bands WHERE listing_id ${given}`,
);
const SAVE_BANDS = bulkInsert(LISTING_BANDS, { key: ['band', 'listing_id'] });

export async function saveSignature(
  tx: Writer,
  { id, changedAt }: Pick<ChangedListing, 'id' | 'changedAt'>,
  signature: Signature | undefined,
  bands: readonly string[],
): Promise<void> {
  const row = { listingId: id, changedAt, ...defined({ signature }) };
  await linkOf(tx).rows(SAVE_SIGNATURES, [bulkRows(LISTING_SIGNATURES, [row])]);
  await linkOf(tx).rows(DROP_BANDS, [[id]]);
  if (bands.length === 0) return;
  const rows = bands.map((band) => ({ band, listingId: id }));
  await linkOf(tx).rows(SAVE_BANDS, [bulkRows(LISTING_BANDS, rows)]);
}

const MARK = statement(`
  UPDATE listings SET stands_under = ?, stands_by = ?, name_key = ?
    WHERE id = ? AND (stands_under IS DISTINCT FROM ? OR stands_by IS DISTINCT FROM ?
      OR name_key IS DISTINCT FROM ?)`);

export async function markListing(
  tx: Writer,
  id: string,
  under: { readonly id: string; readonly by: StandsBy } | undefined,
  key: string | undefined,
): Promise<void> {
  const values = [under?.id ?? null, under?.by ?? null, key ?? null];
  await linkOf(tx).rows(MARK, [...values, id, ...values]);
}

const PASS = statement(`
  UPDATE listings SET stands_under = ?, stands_by = CASE WHEN id = ? THEN ? ELSE stands_by END
    WHERE id <> ? AND (id = ? OR stands_under = ?)`);

/** Puts a listing, and all that stood under it, under this one. */
export async function passUnder(
  tx: Writer,
  leader: string,
  former: string,
  by: StandsBy,
): Promise<void> {
  await linkOf(tx).rows(PASS, [leader, former, by, leader, former, former]);
}
