import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { JSON_ROWS } from '../jsonRows.ts';
import type { Space } from './spaces.ts';

/** Embeddings as a process loads them: a page is one JSON text, which only a worker takes apart. */
export interface VectorPage {
  /** JSON rows of (number of the note, its change, packed embedding or null). */
  readonly rows: string;
  readonly count: number;
  /** The last change in it; what was asked from when it is empty. */
  readonly until: number;
}

/** Numbers of a page, about 700 KB of text. */
const NUMBERS_PAGE = 160 * 768;

const ROWS = `SELECT no, changed, embedding FROM notes WHERE space = ? AND changed > ?
  UNION ALL SELECT note, changed, CAST(NULL AS TEXT) FROM note_deletions
    WHERE space = ? AND changed > ?
  ORDER BY changed LIMIT ?`;
const page = (list: string): string =>
  `SELECT ${list} AS rows, count(*) AS count, coalesce(max(changed), 0) AS until
    FROM (${ROWS}) AS page`;
const PAGE = statement(
  page(JSON_ROWS.sqlite.arrays('no, changed, embedding')),
  page(JSON_ROWS.postgres.arrays('no, changed, embedding')),
);

/** Returns the changes of a space after a place, in its order; a deleted note has no embedding. */
export async function vectorsAfter(
  db: Reader,
  { no, dimensions }: Pick<Space, 'no' | 'dimensions'>,
  after: number,
): Promise<VectorPage> {
  const most = Math.floor(NUMBERS_PAGE / dimensions);
  const row = column.one(await linkOf(db).rows(PAGE, [no, after, no, after, most]));
  if (row === undefined) throw new Error('a list has a row');
  const count = column.whole(row, 'count');
  const until = count === 0 ? after : column.whole(row, 'until');
  return { rows: column.text(row, 'rows'), count, until };
}
