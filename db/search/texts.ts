import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { bulkInsert, bulkRows } from '../registry/bulk.ts';
import { countChanges, releaseAsking } from './models.ts';
import { SEARCH_TEXTS, type SearchText } from './vectorTables.ts';

const SEE = statement(`
  UPDATE search_models SET seen = ? WHERE model = ? AND seen = ? RETURNING model`);
const DIGESTS = inListStatement(
  (given) => `SELECT DISTINCT digest FROM search_texts WHERE model = ? AND ref ${given}`,
);
const PUT = bulkInsert(SEARCH_TEXTS, {
  key: ['model', 'ref'],
  update: [
    'due_at = CASE WHEN search_texts.digest = excluded.digest THEN search_texts.due_at ELSE excluded.due_at END',
    'faults = CASE WHEN search_texts.digest = excluded.digest THEN search_texts.faults ELSE 0 END',
    'digest = excluded.digest',
  ],
});
const HAVE = inListStatement(
  (given) => `UPDATE search_texts SET due_at = NULL WHERE model = ? AND ref ${given}
    AND due_at IS NOT NULL AND EXISTS (SELECT 1 FROM search_vectors AS v
      WHERE v.model = search_texts.model AND v.digest = search_texts.digest
        AND v.vector IS NOT NULL)`,
);
const GONE = inListStatement(
  (given) => `DELETE FROM search_texts WHERE model = ? AND ref ${given}`,
);
const ORPHANS = inListStatement(
  (given) => `SELECT v.no FROM search_vectors AS v
    WHERE v.model = ? AND v.digest ${given} AND v.vector IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM search_texts AS t WHERE t.model = v.model AND t.digest = v.digest)`,
);
const EMPTY = statement('UPDATE search_vectors SET vector = NULL, changed = ? WHERE no = ?');
const FORGET_EMPTY = statement(`
  DELETE FROM search_vectors WHERE model = ? AND vector IS NULL AND changed < ?`);
/** A process that is further behind finds a few that are gone, and nothing for them. */
const EMPTY_KEPT = 10_000;

export interface SeenTexts {
  readonly from: number;
  readonly until: number;
  readonly texts: readonly Pick<SearchText, 'ref' | 'digest'>[];
  readonly gone: readonly string[];
}

/** Stores the texts of a page of changes; false if another process did. Vectors without one go. */
export async function putTexts(
  tx: Writer,
  model: string,
  { from, until, texts, gone }: SeenTexts,
  at: Instant,
): Promise<boolean> {
  const link = linkOf(tx);
  if ((await link.rows(SEE, [until, model, from])).length === 0) return false;
  const refs = texts.map(({ ref }) => ref);
  const former = await link.rows(DIGESTS, [model, [...refs, ...gone]]);
  const rows = texts.map((text) => ({ ...text, model, dueAt: at, faults: 0 }));
  if (rows.length > 0) await link.rows(PUT, [bulkRows(SEARCH_TEXTS, rows)]);
  if (gone.length > 0) await link.rows(GONE, [model, gone]);
  await link.rows(HAVE, [model, refs]);
  const digests = former.map((row) => column.text(row, 'digest'));
  const orphans = await link.rows(ORPHANS, [model, digests]);
  if (orphans.length === 0) return true;
  const last = await countChanges(tx, model, { changes: orphans.length, vectors: -orphans.length });
  for (const [nth, row] of orphans.entries()) {
    await link.rows(EMPTY, [last - nth, column.whole(row, 'no')]);
  }
  await link.rows(FORGET_EMPTY, [model, last - EMPTY_KEPT]);
  return true;
}

const COUNTS = statement(`
  SELECT count(*) AS texts, count(due_at) AS waiting FROM search_texts WHERE model = ?`);

/** Returns how many texts of listings are known to a model, and how many wait for their vector. */
export async function textCounts(
  db: Reader,
  model: string,
): Promise<{ readonly texts: number; readonly waiting: number }> {
  const row = column.one(await linkOf(db).rows(COUNTS, [model]));
  if (row === undefined) throw new Error('a count has a row');
  return { texts: column.whole(row, 'texts'), waiting: column.whole(row, 'waiting') };
}

const DUE = statement(`
  SELECT * FROM search_texts WHERE model = ? AND due_at <= ? ORDER BY due_at, ref LIMIT ?`);

/** Returns texts whose vector is to be asked for, the oldest first. */
export async function dueTexts(
  db: Reader,
  model: string,
  now: Instant,
  limit: number,
): Promise<readonly SearchText[]> {
  return (await linkOf(db).rows(DUE, [model, now, limit])).map(SEARCH_TEXTS.fromRow);
}

const POSTPONE = inListStatement(
  (given) => `UPDATE search_texts SET faults = faults + 1, due_at = ?
    WHERE model = ? AND digest ${given}`,
);

/** Asks again for the vectors of these texts at that time, and ends the claim. */
export async function postponeTexts(
  tx: Writer,
  model: string,
  digests: readonly string[],
  until: Instant,
): Promise<void> {
  await releaseAsking(tx, model);
  await linkOf(tx).rows(POSTPONE, [until, model, digests]);
}
