import { KINDS } from '../../domain/search/plan.ts';
import { parseQuery } from '../../domain/search/query.ts';
import type { FindRequest } from '../../domain/search/found.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { JSON_ROWS } from '../jsonRows.ts';

/** How far the index is, and what waits to be put into it. */
export interface IndexState {
  /** The last change. */
  readonly seq: number;
  /** Things that were written since; counted up to `QUEUED_MAX`. */
  readonly queued: number;
}

export const QUEUED_MAX = 128;
const STATE = statement(`
  SELECT seq, (SELECT count(*) FROM (SELECT 1 FROM search_queue LIMIT ${QUEUED_MAX}) AS q) AS queued
    FROM search_index`);

export async function indexState(db: Reader): Promise<IndexState> {
  const [row] = await linkOf(db).rows(STATE, []);
  if (row === undefined) throw new Error('the index has lost its row');
  return { seq: column.whole(row, 'seq'), queued: column.whole(row, 'queued') };
}

/** Rows as `IndexRow` of the domain, as one JSON text, which a thread takes apart. */
export interface IndexPage {
  readonly rows: string;
  readonly count: number;
  /** The last change of the page. */
  readonly until: number;
}

const COLUMNS = 'kind, ref, part, digest, terms, answers, karma, reach';
const PAGE = statement(
  ...onBoth(
    (rows) => `
  SELECT count(*) AS count, max(seq) AS until, ${rows} AS found FROM (
    SELECT seq, ${COLUMNS} FROM search_documents WHERE seq > ? ORDER BY seq LIMIT ?) AS p`,
  ),
);

function onBoth(text: (rows: string) => string): [sqlite: string, postgres: string] {
  return [text(JSON_ROWS.sqlite.arrays(COLUMNS)), text(JSON_ROWS.postgres.arrays(COLUMNS))];
}

/** Returns the changes after that, the oldest first. */
export async function indexPage(db: Reader, after: number, limit: number): Promise<IndexPage> {
  const [row] = await linkOf(db).rows(PAGE, [after, limit]);
  const count = row === undefined ? 0 : column.whole(row, 'count');
  if (row === undefined || count === 0) return { rows: '[]', count: 0, until: after };
  return { rows: column.text(row, 'found'), count, until: column.whole(row, 'until') };
}

const LIKELY_MAX = 120;
const WORDS_MAX = 8;

/**
 * Returns the documents with the most words of a query by a scan of the table, for a process whose
 * index still loads. Misspelled words are not corrected.
 */
export async function likelyRows(
  db: Reader,
  { text, kinds }: Pick<FindRequest, 'text' | 'kinds'>,
): Promise<string> {
  const { queryTerms, name } = parseQuery(text);
  const words = queryTerms.map(({ term }) => term).concat(name ?? []);
  const places = kinds.flatMap((kind) => (kind === 'skill' ? [] : [KINDS.indexOf(kind)]));
  if (words.length === 0 || places.length === 0) return '[]';
  // Words have letters and digits alone, so nothing in them is a sign of LIKE.
  const having = words.slice(0, WORDS_MAX).map((word) => `% ${word}:%`);
  const matched = having.map(() => '(CASE WHEN terms LIKE ? THEN 1 ELSE 0 END)').join(' + ');
  const asked = places.map((place) => `kind = ${place}`).join(' OR ');
  const likely = statement(
    ...onBoth(
      (rows) => `
    SELECT ${rows} AS found FROM (
      SELECT ${COLUMNS} FROM (
        SELECT seq, ${COLUMNS}, ${matched} AS matched FROM search_documents
         WHERE kind <> 1 AND (${asked})) AS m
       WHERE matched > 0 ORDER BY matched DESC, seq LIMIT ${LIKELY_MAX}) AS p`,
    ),
  );
  const [row] = await linkOf(db).rows(likely, having);
  return row === undefined ? '[]' : column.text(row, 'found');
}
