import { instant, type Instant } from '../../domain/instant.ts';
import { integer, moment, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { keepContent, lockContents, loosenContent } from '../files/contents.ts';
import { table } from '../batch/table.ts';

/** Stored states of the search index. */
export const SEARCH_SNAPSHOTS = table(
  'search_snapshots',
  {
    form: text().key(),
    /** The last change that it has. */
    seq: integer(),
    /** Its content in the file store. */
    object: text().optional(),
    savedAt: moment(),
    claimedUntil: moment(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type Snapshot = Required<Pick<RowIn<typeof SEARCH_SNAPSHOTS>, 'seq' | 'object'>>;

const LAST = statement('SELECT * FROM search_snapshots WHERE form = ?');

/** Returns the newest snapshot of a form; undefined where none was written. */
export async function lastSnapshot(db: Reader, form: string): Promise<Snapshot | undefined> {
  const row = column.one(await linkOf(db).rows(LAST, [form]));
  if (row === undefined) return undefined;
  const { seq, object } = SEARCH_SNAPSHOTS.fromRow(row);
  return object === undefined ? undefined : { seq, object };
}

const CLAIM = statement(`
  ${SEARCH_SNAPSHOTS.insertion}
  ON CONFLICT (form) DO UPDATE SET claimed_until = excluded.claimed_until
    WHERE search_snapshots.claimed_until < ? AND search_snapshots.seq = ?
  RETURNING form`);

/**
 * Claims the writing of the snapshot that follows the change `after`, 0 for the first. Returns
 * false if another process has a claim or wrote it meanwhile.
 */
export async function claimSnapshot(
  tx: Writer,
  form: string,
  claim: { readonly after: number; readonly at: Instant; readonly until: Instant },
): Promise<boolean> {
  const { after, at, until } = claim;
  const cells = SEARCH_SNAPSHOTS.cells({ form, seq: 0, savedAt: at, claimedUntil: until });
  return (await linkOf(tx).rows(CLAIM, [...cells, at, after])).length > 0;
}

const REPLACED = statement(`
  SELECT form, object FROM search_snapshots WHERE form = ? OR saved_at < ?`);
const REPLACE = statement(`
  UPDATE search_snapshots SET seq = ?, object = ?, saved_at = ?, claimed_until = 0 WHERE form = ?`);
const FORGET = statement('DELETE FROM search_snapshots WHERE form = ?');

/** A release beside an earlier one, or one that was rolled back, still reads the form of its own. */
const OTHER_FORMS_MS = 30 * 86_400_000;

/** Makes a stored content the newest snapshot of a form, and forgets forms that no process writes. */
export async function replaceSnapshot(
  tx: Writer,
  form: string,
  { seq, object }: Snapshot,
  at: Instant,
): Promise<void> {
  const link = linkOf(tx);
  const rows = await link.rows(REPLACED, [form, instant(at - OTHER_FORMS_MS)]);
  const former = rows.flatMap((row) => column.textOrNull(row, 'object') ?? []);
  const there = await lockContents(tx, [object, ...former]);
  if (!there.has(object)) throw new Error('the content of a snapshot was swept');
  await link.rows(REPLACE, [seq, object, at, form]);
  for (const row of rows) {
    const other = column.text(row, 'form');
    if (other !== form) await link.rows(FORGET, [other]);
  }
  await keepContent(tx, object, at);
  for (const each of former) await loosenContent(tx, each, at);
}
