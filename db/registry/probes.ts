import type { Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/registry/changes.ts';
import { readProbes, writeProbes, type PastProbe } from '../../domain/registry/history.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { bulkInsert, bulkRows } from './bulk.ts';

const APART = { apart: 'about no account' };

/** Results of a listing's probes, the changes between them, and the documents they read. */
export const LISTING_LOOKS = table(
  'listing_looks',
  {
    listingId: columns.text().key(),
    looks: columns.column<readonly PastProbe[]>('text', writeProbes, (cell, name) =>
      readProbes(column.textOf(cell, name)),
    ),
  },
  { use: 'single', personal: APART },
);
const LOOKS = statement(
  'SELECT listing_id, looks FROM listing_looks WHERE listing_id IN (SELECT value FROM json_each(?))',
  'SELECT listing_id, looks FROM listing_looks WHERE listing_id = ANY(?::text[])',
);

export async function probesOf(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly PastProbe[]>> {
  const rows = await linkOf(db).rows(LOOKS, [ids]);
  return new Map(rows.map(LISTING_LOOKS.fromRow).map(({ listingId, looks }) => [listingId, looks]));
}

const SAVE_LOOKS = bulkInsert(LISTING_LOOKS, {
  key: ['listing_id'],
  update: [LISTING_LOOKS.replacement],
});

export async function saveProbes(
  tx: Writer,
  given: readonly { readonly id: string; readonly looks: readonly PastProbe[] }[],
): Promise<void> {
  const rows = given.map(({ id, looks }) => ({ listingId: id, looks }));
  await linkOf(tx).rows(SAVE_LOOKS, [bulkRows(LISTING_LOOKS, rows)]);
}

export const LISTING_CHANGES = table(
  'listing_changes',
  {
    id: columns.integer().numbered(),
    listingId: columns.text(),
    at: columns.moment(),
    path: columns.text(),
    change: columns.text<Change['change']>(),
    before: columns.text().optional(),
    after: columns.text().optional(),
  },
  { use: 'single', personal: APART },
);
const SAVE_CHANGES = bulkInsert(LISTING_CHANGES);
const CHANGES_KEPT = 300;
const TRIM = statement(`
  DELETE FROM listing_changes WHERE listing_id = ? AND id <= (
    SELECT id FROM listing_changes WHERE listing_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`);

/** Adds to the trail of a listing; its oldest entries make room. */
export async function saveChanges(
  tx: Writer,
  id: string,
  at: Instant,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change) => ({ ...change, id: 0, listingId: id, at }));
  await linkOf(tx).rows(SAVE_CHANGES, [bulkRows(LISTING_CHANGES, rows)]);
  await linkOf(tx).rows(TRIM, [id, id, CHANGES_KEPT]);
}

const CHANGES_AT = statement(
  'SELECT * FROM listing_changes WHERE listing_id = ? AND at = ? ORDER BY id LIMIT 100',
);

export async function changesAt(db: Reader, id: string, at: Instant): Promise<readonly Change[]> {
  return (await linkOf(db).rows(CHANGES_AT, [id, at])).map(changeOf);
}

const LAST_CHANGES = statement(
  'SELECT * FROM listing_changes WHERE listing_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
);

export type SeenChange = Change & { readonly at: Instant; readonly place: number };

/** Returns the changes that probes found before a place, newest first. */
export async function lastChanges(
  db: Reader,
  id: string,
  before: number,
  limit: number,
): Promise<readonly SeenChange[]> {
  const rows = await linkOf(db).rows(LAST_CHANGES, [id, before, limit]);
  return rows.map((row) => {
    const { at, id: place } = LISTING_CHANGES.fromRow(row);
    return { ...changeOf(row), at, place };
  });
}

function changeOf(row: Row): Change {
  const { id: _, listingId: __, at: ___, ...change } = LISTING_CHANGES.fromRow(row);
  return change;
}

export const CRAWL_DOCUMENTS = table(
  'crawl_documents',
  {
    url: columns.text().key(),
    origin: columns.text(),
    etag: columns.text().optional(),
    lastModified: columns.text().optional(),
    body: columns.text(),
    fetchedAt: columns.moment(),
  },
  { use: 'single', personal: APART },
);
/** A document with what makes the next request for it conditional. */
export type StoredDocument = Omit<RowIn<typeof CRAWL_DOCUMENTS>, 'origin' | 'fetchedAt'>;

const DOCUMENTS = statement('SELECT * FROM crawl_documents WHERE origin = ?');
const SAVE_DOCUMENTS = bulkInsert(CRAWL_DOCUMENTS, {
  key: ['url'],
  update: [CRAWL_DOCUMENTS.replacement],
});

export async function documentsOf(db: Reader, origin: string): Promise<readonly StoredDocument[]> {
  return (await linkOf(db).rows(DOCUMENTS, [origin])).map(CRAWL_DOCUMENTS.fromRow);
}

export async function saveDocuments(
  tx: Writer,
  origin: string,
  at: Instant,
  documents: readonly StoredDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const rows = documents.map((document) => ({ ...document, origin, fetchedAt: at }));
  await linkOf(tx).rows(SAVE_DOCUMENTS, [bulkRows(CRAWL_DOCUMENTS, rows)]);
}

export const FRESH_CHECKS = table(
  'fresh_checks',
  { caller: columns.text().key(), takenAt: columns.json<readonly Instant[]>() },
  { use: 'single', personal: { apart: 'addresses of callers, for a day' } },
);
const TAKE = statement('SELECT * FROM fresh_checks WHERE caller = ?');
const TAKEN = `${FRESH_CHECKS.insertion} ON CONFLICT (caller) DO UPDATE SET`;
const LOCK_TAKEN = statement(`${TAKEN} taken_at = fresh_checks.taken_at RETURNING *`);
const SAVE_TAKEN = statement(`${TAKEN} ${FRESH_CHECKS.replacement}`);

/** When a caller took fresh checks, newest last; rows are short and few. */
export async function freshChecksOf(db: Reader, caller: string): Promise<readonly Instant[]> {
  const row = column.one(await linkOf(db).rows(TAKE, [caller]));
  return row === undefined ? [] : FRESH_CHECKS.fromRow(row).takenAt;
}

/** Also locks the row until the unit ends, so that a caller's checks are counted one by one. */
export async function lockFreshChecks(tx: Writer, caller: string): Promise<readonly Instant[]> {
  const none = FRESH_CHECKS.cells({ caller, takenAt: [] });
  const row = column.one(await linkOf(tx).rows(LOCK_TAKEN, none));
  return row === undefined ? [] : FRESH_CHECKS.fromRow(row).takenAt;
}

export async function saveFreshChecks(
  tx: Writer,
  caller: string,
  takenAt: readonly Instant[],
): Promise<void> {
  await linkOf(tx).rows(SAVE_TAKEN, FRESH_CHECKS.cells({ caller, takenAt }));
}
