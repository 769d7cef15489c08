import pg from 'pg';
import type { FindRequest, Found } from '../../../domain/search/found.ts';
import { KINDS } from '../../../domain/search/plan.ts';
import { parseQuery } from '../../../domain/search/query.ts';
import { isInName, weightOf } from '../../../domain/search/termWeight.ts';

/** PostgreSQL's search: `tsvector` with its four weights and GIN give a few hundred candidates. */
const CANDIDATES = 300;
/** Fewer that have all words are completed by those that have some. */
const ENOUGH = 20;
const CONNECTIONS = 8;
const WEIGHTS = '{0.15, 0.4, 0.7, 1}';

export function vectorOf(weights: ReadonlyMap<string, number>): string {
  return [...weights].map(([term, weight]) => `'${term}':1${letterOf(weight)}`).join(' ');
}

/** Returns A for terms of a name, and B to D by falling weight. */
export function letterOf(weight: number): string {
  if (isInName(weight)) return 'A';
  return weightOf(weight) > 170 ? 'B' : weightOf(weight) > 85 ? 'C' : 'D';
}

/** Makes the index; returns how long that took, and the bytes of the vectors and of the index. */
export async function indexWords(database: string): Promise<{ seconds: number; bytes: number }> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const began = performance.now();
  await client.query('CREATE INDEX search_words_of ON search_words USING gin (words)');
  await client.query('VACUUM ANALYZE search_words');
  const { rows } = await client.query<{ bytes: string }>(
    "SELECT pg_total_relation_size('search_words') AS bytes",
  );
  await client.end();
  const seconds = Math.round((performance.now() - began) / 1000);
  return { seconds, bytes: Number(rows[0]?.bytes) };
}

const LIKELY = `
  SELECT kind, ref, part, terms, answers, karma, reach FROM (
    SELECT seq FROM search_words WHERE words @@ $1::tsquery
    ORDER BY ts_rank('${WEIGHTS}', words, $1::tsquery) DESC LIMIT ${CANDIDATES}) AS w
  JOIN search_documents USING (seq)`;

/** One of the designs, ready to be asked. */
export interface Finder {
  find(request: FindRequest): Promise<readonly Found[]>;
  close(): Promise<void>;
}

interface Row {
  readonly kind: string;
  readonly ref: string;
  readonly part: string;
}

/**
 * Returns the candidates without a rank of the hub: their time is the least that a search would
 * take, and their share of the true first ones the most that any rank could return.
 */
export function openCandidates(database: string): Finder {
  const pool = new pg.Pool({ connectionString: database, max: CONNECTIONS });
  const read = async (query: string): Promise<readonly Row[]> =>
    (await pool.query<Row>({ name: 'likely', text: LIKELY, values: [query] })).rows;
  const find: Finder['find'] = async ({ text }) => {
    const { queryTerms, name } = parseQuery(text);
    const concepts = queryTerms.map(({ term, others, isLast }) => {
      const words = [term, ...others].map((word) => `'${word}'`);
      return `(${[...words, ...(isLast ? [`'${term}':*`] : [])].join(' | ')})`;
    });
    const named = name === undefined ? [] : [`'${name}'`];
    if (concepts.length === 0) return [];
    let rows = await read([concepts.join(' & '), ...named].join(' | '));
    if (rows.length < ENOUGH) rows = await read([...concepts, ...named].join(' | '));
    return rows.map(({ kind, ref, part }) => {
      return { kind: KINDS[Number(kind)] ?? 'agent', ref, part: Number(part), score: 0 };
    });
  };
  return { find, close: () => pool.end() };
}
