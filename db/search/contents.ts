import { termsIn } from '../../domain/search/terms.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { JSON_ROWS } from '../jsonRows.ts';
import type { Contents } from './memory.ts';

const COLUMNS = 'id, kind, ref, part, terms';
const CONTENTS = statement(
  `SELECT ${JSON_ROWS.sqlite.arrays(COLUMNS)} AS found FROM search_documents
    WHERE id IN (SELECT value FROM json_each(?))`,
  `SELECT ${JSON_ROWS.postgres.arrays(COLUMNS)} AS found FROM search_documents
    WHERE id = ANY(?::bigint[])`,
);

/** What each of these documents holds, in their order; undefined where one is gone. */
export async function contentsOf(
  db: Reader,
  ids: readonly number[],
): Promise<readonly (Contents | undefined)[]> {
  const all = ids.map((id) => db.search?.contents.peek(id));
  const unknown = new Set(ids.filter((_, place) => all[place] === undefined));
  if (unknown.size === 0) return all;
  const [row] = await linkOf(db).rows(CONTENTS, [[...unknown]]);
  const found = JSON.parse(row === undefined ? '[]' : column.text(row, 'found')) as [
    number,
    number,
    string,
    number,
    string,
  ][];
  const read = new Map<number, Contents>();
  for (const [id, kind, ref, part, terms] of found) {
    const contents = { kind, ref, part, terms: termsIn(terms) };
    db.search?.contents.set(id, contents);
    read.set(id, contents);
  }
  return all.map((known, place) => known ?? read.get(ids[place] ?? 0));
}
