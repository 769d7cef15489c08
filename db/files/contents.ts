import type { Instant } from '../../domain/instant.ts';
import { integer, moment, text } from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { IN_LIST } from '../inList.ts';
import { table } from '../batch/table.ts';

/** Contents in the file store; files with the same bytes share one. */
export const FILE_CONTENTS = table(
  'file_contents',
  {
    object: text().key(),
    sha256: text(),
    bytes: integer(),
    state: text<'awaited' | 'kept' | 'loose' | 'gone'>(),
    touchedAt: moment(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);

const FIND = statement(`
  UPDATE file_contents SET touched_at = ? WHERE object = (
    SELECT object FROM file_contents WHERE sha256 = ? AND state IN ('kept', 'loose') LIMIT 1)
    AND state IN ('kept', 'loose') RETURNING object`);
const AWAIT = statement(FILE_CONTENTS.insertion);

/** Finds the content of these bytes and protects it from sweeps for a while. */
export async function findContent(
  tx: Writer,
  sha256: string,
  at: Instant,
): Promise<string | undefined> {
  const row = column.one(await linkOf(tx).rows(FIND, [at, sha256]));
  return row && column.text(row, 'object');
}

/** Records that bytes are about to be stored under a name. */
export async function awaitContent(
  tx: Writer,
  content: { readonly object: string; readonly sha256: string; readonly bytes: number },
  touchedAt: Instant,
): Promise<void> {
  const cells = FILE_CONTENTS.cells({ ...content, state: 'awaited', touchedAt });
  await linkOf(tx).rows(AWAIT, cells);
}

const LOCK = statement(
  `SELECT object FROM file_contents WHERE object ${IN_LIST.sqlite} AND state <> 'gone'`,
  `SELECT object FROM file_contents WHERE object ${IN_LIST.postgres} AND state <> 'gone'
    ORDER BY object FOR UPDATE`,
);
const KEEP = statement(`
  UPDATE file_contents SET state = 'kept', touched_at = ? WHERE object = ?`);
const LOOSEN = statement(`
  UPDATE file_contents SET state = 'loose', touched_at = ?
  WHERE object = ? AND NOT EXISTS (SELECT 1 FROM files WHERE files.object = file_contents.object)`);

/** Locks contents; answers those that are not gone. */
export async function lockContents(
  tx: Writer,
  objects: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await linkOf(tx).rows(LOCK, [[...new Set(objects)]]);
  return new Set(rows.map((row) => column.text(row, 'object')));
}

/** A file has this content now; it is locked. */
export async function keepContent(tx: Writer, object: string, at: Instant): Promise<void> {
  await linkOf(tx).rows(KEEP, [at, object]);
}

/** A file has this content no more; it is locked, and loose when that was the last one. */
export async function loosenContent(tx: Writer, object: string, at: Instant): Promise<void> {
  await linkOf(tx).rows(LOOSEN, [at, object]);
}

const GIVE_UP = statement(`
  UPDATE file_contents SET state = 'gone' WHERE object = ? AND state = 'awaited' RETURNING object`);

/** No file is going to be made of what was awaited; false when one was. */
export async function giveUpContent(tx: Writer, object: string): Promise<boolean> {
  return (await linkOf(tx).rows(GIVE_UP, [object])).length > 0;
}

const STALE = statement(`
  SELECT object FROM file_contents WHERE state IN ('awaited', 'loose') AND touched_at < ?
  ORDER BY touched_at LIMIT ?`);
const SWEEP = statement(`
  UPDATE file_contents SET state = 'gone'
  WHERE object = ? AND state IN ('awaited', 'loose') AND touched_at < ?`);
const GONE = statement(`
  SELECT object FROM file_contents WHERE state = 'gone' ORDER BY touched_at LIMIT ?`);
const FORGET = statement(`DELETE FROM file_contents WHERE object = ? AND state = 'gone'`);

/** Contents that no file has had since then. */
export async function staleContents(
  db: Reader,
  since: Instant,
  limit: number,
): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(STALE, [since, limit]);
  return rows.map((row) => column.text(row, 'object'));
}

/** Decides that a content goes, unless it was touched since. */
export async function sweepContent(tx: Writer, object: string, since: Instant): Promise<void> {
  await linkOf(tx).rows(SWEEP, [object, since]);
}

/** Contents whose bytes are to be removed. */
export async function goneContents(db: Reader, limit: number): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(GONE, [limit]);
  return rows.map((row) => column.text(row, 'object'));
}

/** Their bytes were removed. */
export async function forgetContent(tx: Writer, object: string): Promise<void> {
  await linkOf(tx).rows(FORGET, [object]);
}
