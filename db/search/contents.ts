import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import type { Contents } from './memory.ts';

const CONTENTS = statement(
  `SELECT json_group_array(json_array(id, kind, ref, part, terms)) AS found FROM search_documents
    WHERE id IN (SELECT value FROM json_each(?))`,
  `SELECT coalesce(json_agg(json_build_array(id, kind, ref, part, terms)), $$[]$$::json)::text
    AS found FROM search_documents WHERE id = ANY(?::bigint[])`,
);

/** What documents hold, by id; those that are gone are left out. */
export async function contentsOf(
  db: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Contents>> {
  const all = new Map<number, Contents>();
  const unknown: number[] = [];
  for (const id of ids) {
    const known = db.search?.contents.get(id);
    if (known === undefined) unknown.push(id);
    else all.set(id, known);
  }
  if (unknown.length === 0) return all;
  const [row] = await linkOf(db).rows(CONTENTS, [unknown]);
  const found = JSON.parse(row === undefined ? '[]' : column.text(row, 'found')) as [
    number,
    number,
    string,
    number,
    string,
  ][];
  for (const [id, kind, ref, part, terms] of found) {
    const read = { kind, ref, part, terms };
    db.search?.contents.set(id, read);
    all.set(id, read);
  }
  return all;
}
