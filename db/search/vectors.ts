import type { Foldable } from '../../domain/registry/fold.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { IN_LIST, inListStatement } from '../inList.ts';
import { JSON_ROWS } from '../jsonRows.ts';
import { bulkInsert, bulkJson } from '../registry/bulk.ts';
import { foldableOf } from '../registry/page.ts';
import { countChanges, releaseAsking } from './models.ts';
import { SEARCH_VECTORS } from './vectorTables.ts';

const WANTED = inListStatement(
  (given) => `SELECT DISTINCT t.digest FROM search_texts AS t
    WHERE t.model = ? AND t.digest ${given} AND NOT EXISTS (SELECT 1 FROM search_vectors AS v
      WHERE v.model = t.model AND v.digest = t.digest AND v.vector IS NOT NULL)`,
);
const ADD = bulkInsert(SEARCH_VECTORS, {
  key: ['model', 'digest'],
  update: ['vector = excluded.vector', 'changed = excluded.changed'],
});
const MADE = inListStatement(
  (given) =>
    `UPDATE search_texts SET due_at = NULL, faults = 0 WHERE model = ? AND digest ${given}`,
);

/** Stores vectors by the digests of their texts, and ends the claim. */
export async function putVectors(
  tx: Writer,
  model: string,
  vectors: ReadonlyMap<string, string>,
): Promise<void> {
  const link = linkOf(tx);
  // Locks the row, so that changes are counted in the order of their commits.
  await releaseAsking(tx, model);
  const digests = [...vectors.keys()];
  const wanted = await link.rows(WANTED, [model, digests]);
  const last = await countChanges(tx, model, { changes: wanted.length, vectors: wanted.length });
  const rows = wanted.map((row, nth) => {
    const digest = column.text(row, 'digest');
    return { model, digest, changed: last - nth, vector: vectors.get(digest) ?? null };
  });
  if (rows.length > 0) await link.rows(ADD, [bulkJson(rows)]);
  await link.rows(MADE, [model, digests]);
}

const PAGE = (rows: string): string => `
  SELECT ${rows} AS rows, count(*) AS count, coalesce(max(changed), 0) AS until FROM
    (SELECT no, changed, vector FROM search_vectors WHERE model = ? AND changed > ?
      ORDER BY changed LIMIT ?) AS page`;
const VECTORS = statement(
  PAGE(JSON_ROWS.sqlite.arrays('no, changed, vector')),
  PAGE(JSON_ROWS.postgres.arrays('no, changed, vector')),
);

/** Returns a page of the changes of a model's vectors as `kernel/vectors` loads them. */
export async function textVectorsAfter(
  db: Reader,
  model: string,
  after: number,
  limit: number,
): Promise<{ readonly rows: string; readonly count: number; readonly until: number }> {
  const row = column.one(await linkOf(db).rows(VECTORS, [model, after, limit]));
  if (row === undefined) throw new Error('a list has a row');
  const count = column.whole(row, 'count');
  const until = count === 0 ? after : column.whole(row, 'until');
  return { rows: column.text(row, 'rows'), count, until };
}

/** Listings of one text that are found: originals, what answers and the most trusted first. */
const OF_TEXT_MAX = 4;
const having = (given: string): string => `
  SELECT no, id, operator_id, passport_key_id, stands_under FROM (
    SELECT v.no, t.ref AS id, coalesce(l.operator_id, 'package ' || p.publisher, t.ref)
        AS operator_id, l.passport_key_id, coalesce(l.stands_under, p.stands_under) AS stands_under,
      row_number() OVER (PARTITION BY v.no
        ORDER BY CASE WHEN coalesce(l.stands_under, p.stands_under) IS NULL THEN 0 ELSE 1 END,
          coalesce(l.answers, 0) DESC, coalesce(l.karma, 0) DESC, t.ref) AS place
    FROM search_vectors AS v
      JOIN search_texts AS t ON t.model = v.model AND t.digest = v.digest
      LEFT JOIN listings AS l ON l.id = t.ref
      LEFT JOIN server_packages AS p ON p.id = t.ref
    WHERE v.no ${given}) AS ranked
  WHERE place <= ${OF_TEXT_MAX} ORDER BY no, place`;
const HAVING = statement(having(IN_LIST.sqlite), having('= ANY(?::bigint[])'));

/** Returns the listings that have the texts of the vectors with these numbers. */
export async function listingsOfVectors(
  db: Reader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly Foldable[]>> {
  const found = new Map<number, Foldable[]>();
  for (const row of await linkOf(db).rows(HAVING, [numbers])) {
    const no = column.whole(row, 'no');
    found.set(no, [...(found.get(no) ?? []), foldableOf(row)]);
  }
  return found;
}
