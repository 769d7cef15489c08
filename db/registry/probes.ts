import { instant, type Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/registry/changes.ts';
import { readProbes, writeProbes, type PastProbe } from '../../domain/registry/history.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { bulkInsert, bulkJson, replaced } from './bulk.ts';

/** Results of a listing's probes, the changes between them, and the documents they read. */
const LOOKS = statement(
  'SELECT listing_id, looks FROM listing_looks WHERE listing_id IN (SELECT value FROM json_each(?))',
  'SELECT listing_id, looks FROM listing_looks WHERE listing_id = ANY(?::text[])',
);

export async function probesOf(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly PastProbe[]>> {
  const rows = await linkOf(db).rows(LOOKS, [ids]);
  return new Map(
    rows.map((row) => [column.text(row, 'listing_id'), readProbes(column.text(row, 'looks'))]),
  );
}

const SAVE_LOOKS = bulkInsert({
  table: 'listing_looks',
  columns: { listing_id: 'text', looks: 'text' },
  key: ['listing_id'],
  update: replaced(['looks']),
});

export async function saveProbes(
  tx: Writer,
  given: readonly { readonly id: string; readonly looks: readonly PastProbe[] }[],
): Promise<void> {
  const rows = given.map(({ id, looks }) => ({ listing_id: id, looks: writeProbes(looks) }));
  await linkOf(tx).rows(SAVE_LOOKS, [bulkJson(rows)]);
}

const SAVE_CHANGES = bulkInsert({
  table: 'listing_changes',
  columns: {
    listing_id: 'text',
    at: 'int',
    path: 'text',
    change: 'text',
    before: 'text',
    after: 'text',
  },
});
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
  const rows = changes.map(({ path, change, before, after }) => ({
    listing_id: id,
    at,
    path,
    change,
    before: before ?? null,
    after: after ?? null,
  }));
  await linkOf(tx).rows(SAVE_CHANGES, [bulkJson(rows)]);
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
    return { ...changeOf(row), at: column.time(row, 'at'), place: column.whole(row, 'id') };
  });
}

function changeOf(row: Row): Change {
  const before = column.textOrNull(row, 'before');
  const after = column.textOrNull(row, 'after');
  return {
    path: column.text(row, 'path'),
    change: column.text(row, 'change') as Change['change'],
    ...(before !== null && { before }),
    ...(after !== null && { after }),
  };
}

/** A document with what makes the next request for it conditional. */
export interface StoredDocument {
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
  readonly body: string;
}

const DOCUMENTS = statement('SELECT * FROM crawl_documents WHERE origin = ?');
const SAVE_DOCUMENTS = bulkInsert({
  table: 'crawl_documents',
  columns: {
    url: 'text',
    origin: 'text',
    etag: 'text',
    last_modified: 'text',
    body: 'text',
    fetched_at: 'int',
  },
  key: ['url'],
  update: replaced(['origin', 'etag', 'last_modified', 'body', 'fetched_at']),
});

export async function documentsOf(db: Reader, origin: string): Promise<readonly StoredDocument[]> {
  return (await linkOf(db).rows(DOCUMENTS, [origin])).map((row) => {
    const etag = column.textOrNull(row, 'etag');
    const lastModified = column.textOrNull(row, 'last_modified');
    return {
      url: column.text(row, 'url'),
      ...(etag !== null && { etag }),
      ...(lastModified !== null && { lastModified }),
      body: column.text(row, 'body'),
    };
  });
}

export async function saveDocuments(
  tx: Writer,
  origin: string,
  at: Instant,
  documents: readonly StoredDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const rows = documents.map(({ url, etag, lastModified, body }) => ({
    url,
    origin,
    etag: etag ?? null,
    last_modified: lastModified ?? null,
    body,
    fetched_at: at,
  }));
  await linkOf(tx).rows(SAVE_DOCUMENTS, [bulkJson(rows)]);
}

const TAKE = statement('SELECT taken_at FROM fresh_checks WHERE caller = ?');
const LOCK_TAKEN = statement(`
  INSERT INTO fresh_checks (caller, taken_at) VALUES (?, '[]')
  ON CONFLICT (caller) DO UPDATE SET taken_at = fresh_checks.taken_at RETURNING taken_at`);
const SAVE_TAKEN = statement(`
  INSERT INTO fresh_checks (caller, taken_at) VALUES (?, ?)
  ON CONFLICT (caller) DO UPDATE SET taken_at = excluded.taken_at`);

/** When a caller took fresh checks, newest last; rows are short and few. */
export async function freshChecksOf(db: Reader, caller: string): Promise<readonly Instant[]> {
  return takenIn(column.one(await linkOf(db).rows(TAKE, [caller])));
}

/** Also locks the row until the unit ends, so that a caller's checks are counted one by one. */
export async function lockFreshChecks(tx: Writer, caller: string): Promise<readonly Instant[]> {
  return takenIn(column.one(await linkOf(tx).rows(LOCK_TAKEN, [caller])));
}

function takenIn(row: Row | undefined): readonly Instant[] {
  const kept = row === undefined ? [] : (column.json(row, 'taken_at') as readonly number[]);
  return kept.map(instant);
}

export async function saveFreshChecks(
  tx: Writer,
  caller: string,
  takenAt: readonly Instant[],
): Promise<void> {
  await linkOf(tx).rows(SAVE_TAKEN, [caller, JSON.stringify(takenAt)]);
}
