import { documentId, KINDS, wordOf, type Kind } from '../../domain/search/plan.ts';
import type { Document } from '../../domain/search/documents.ts';
import { termOfBoth, termsIn, termsText } from '../../domain/search/terms.ts';
import { deletionVariants } from '../../domain/search/typos.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Link, type Statement, type Writer } from '../connection.ts';
import type { Queued } from './queue.ts';

/**
 * Puts documents into the index: terms, postings, and in how many documents each term is. One
 * process does it at a time, so ids are counted up here, and no other writer meets these rows.
 */
const ALONE = statement('SELECT 1 AS alone', 'SELECT pg_advisory_xact_lock(1096304711) AS alone');
const LAST = statement(`SELECT documents, changes,
  (SELECT coalesce(max(id), 0) FROM search_terms) AS term FROM search_index`);
const COUNT_UP = statement('UPDATE search_index SET documents = ?, changes = ?');
const KNOWN = statement(
  `SELECT id, kind, ref, part, digest, terms FROM search_documents
    WHERE ref IN (SELECT value FROM json_each(?))`,
  'SELECT id, kind, ref, part, digest, terms FROM search_documents WHERE ref = ANY(?::text[])',
);
const TERMS = statement(
  'SELECT id, term FROM search_terms WHERE term IN (SELECT value FROM json_each(?))',
  'SELECT id, term FROM search_terms WHERE term = ANY(?::text[])',
);
/** The term of all documents: its counts are how many there are. */
export const EVERYTHING = '';

/** A statement over rows that travel as one JSON array of arrays. */
function rowwise(text: (rows: string) => string, types: readonly ('text' | 'bigint')[]): Statement {
  const sqlite = types.map((_, at) => `value ->> ${at} AS v${at}`);
  const postgres = types.map((type, at) => `(value ->> ${at})::${type} AS v${at}`);
  return statement(
    text(`(SELECT ${sqlite.join(', ')} FROM json_each(?))`),
    text(`(SELECT ${postgres.join(', ')} FROM jsonb_array_elements(?::jsonb))`),
  );
}

const ADD_TERMS = rowwise(
  (rows) => `INSERT INTO search_terms (id, term, agents, skills, tasks, comments)
    SELECT v0, v1, 0, 0, 0, 0 FROM ${rows} AS given`,
  ['bigint', 'text'],
);
const ADD_SHORTENED = rowwise(
  (rows) => `INSERT INTO search_shortened (term_id, shortened) SELECT v0, v1 FROM ${rows} AS given`,
  ['bigint', 'text'],
);
const ADD_DOCUMENTS = rowwise(
  (rows) => `INSERT INTO search_documents (id, kind, ref, part, digest, terms)
    SELECT v0, v1, v2, v3, v4, v5 FROM ${rows} AS given`,
  ['bigint', 'bigint', 'text', 'bigint', 'text', 'text'],
);

/**
 * Postings travel by document, as `[document, [posting, ...]]`, because taking a JSON array apart
 * for each of them would cost more than writing it. In the order of the table, which spares it
 * jumps.
 */
const POSTINGS = {
  sqlite: `SELECT e.value AS posting, d.value ->> 0 AS document
    FROM json_each(?) AS d JOIN json_each(d.value, '$[1]') AS e`,
  postgres: `SELECT e.value::bigint AS posting, (d.value ->> 0)::bigint AS document
    FROM jsonb_array_elements(?::jsonb) AS d (value),
      jsonb_array_elements_text(d.value -> 1) AS e (value)`,
};
const addText = (postings: string): string => `
  INSERT INTO search_postings (word, document, weight)
  SELECT posting >> 8, document, posting & 255 FROM (${postings}) AS given
  WHERE true ORDER BY 1, 2`;
const ADD_POSTINGS = statement(addText(POSTINGS.sqlite), addText(POSTINGS.postgres));
const dropText = (postings: string): string => `
  DELETE FROM search_postings WHERE (word, document) IN (
    SELECT posting, document FROM (${postings}) AS given)`;
const DROP_POSTINGS = statement(dropText(POSTINGS.sqlite), dropText(POSTINGS.postgres));
/** One integer: the word above, the weight in the lowest eight bits. */
const posting = (word: number, weight: number): number => word * 256 + weight;

const DROP_DOCUMENTS = rowwise(
  (rows) => `DELETE FROM search_documents WHERE id IN (SELECT v0 FROM ${rows} AS given)`,
  ['bigint'],
);
const COUNT = rowwise(
  (rows) => `UPDATE search_terms SET agents = agents + v1, skills = skills + v2,
      tasks = tasks + v3, comments = comments + v4, changed = v5
    FROM ${rows} AS given WHERE id = v0`,
  ['bigint', 'bigint', 'bigint', 'bigint', 'bigint', 'bigint'],
);
const DONE = rowwise(
  (rows) => `DELETE FROM search_queue WHERE (kind, ref, stamp) IN
    (SELECT v0, v1, v2 FROM ${rows} AS given)`,
  ['text', 'text', 'bigint'],
);

interface Known {
  readonly id: number;
  readonly kind: number;
  readonly digest: string;
  readonly terms: readonly number[];
}

/** Makes the index say of the queued things exactly what the documents say, and takes them off. */
export async function applyQueued(
  tx: Writer,
  entries: readonly Queued[],
  documents: readonly Document[],
): Promise<void> {
  const link = linkOf(tx);
  await link.rows(ALONE, []);
  const known = await knownDocuments(link, entries);
  const given = new Map(documents.map((each) => [placeOf(each), each]));
  const isSame = (place: string): boolean => known.get(place)?.digest === given.get(place)?.digest;
  const stale = [...known].filter(([place]) => !isSame(place)).map(([, each]) => each);
  const fresh = documents.filter((each) => !isSame(placeOf(each)));
  if (stale.length + fresh.length > 0) {
    const counts = openCounts();
    await drop(link, stale, counts);
    await add(link, fresh, counts);
  }
  await each(
    link,
    DONE,
    entries.map(({ kind, ref, stamp }) => [kind, ref, stamp]),
  );
}

function placeOf({ kind, ref, part }: { kind: Kind; ref: string; part: number }): string {
  return `${kind} ${part} ${ref}`;
}

async function knownDocuments(
  link: Link,
  entries: readonly Queued[],
): Promise<ReadonlyMap<string, Known>> {
  const rows = await link.rows(KNOWN, [entries.map(({ ref }) => ref)]);
  return new Map(
    rows.map((row) => {
      const [kind, part] = [column.whole(row, 'kind'), column.whole(row, 'part')];
      const place = placeOf({ kind: KINDS[kind] ?? 'agent', ref: column.text(row, 'ref'), part });
      const digest = column.text(row, 'digest');
      const id = column.whole(row, 'id');
      return [
        place,
        { id, kind, digest, terms: termsIn(column.text(row, 'terms')).map(termOfBoth) },
      ];
    }),
  );
}

/** How many documents of each kind a term gained or lost. */
interface Counts {
  add(term: number, kind: number, count: 1 | -1): void;
  rows(change: number): readonly (readonly number[])[];
}

function openCounts(): Counts {
  const counts = new Map<number, number[]>();
  return {
    add(term, kind, count) {
      const row = counts.get(term) ?? KINDS.map(() => 0);
      row[kind] = (row[kind] ?? 0) + count;
      counts.set(term, row);
    },
    rows: (change) => [...counts].map(([term, row]) => [term, ...row, change]),
  };
}

async function drop(link: Link, stale: readonly Known[], counts: Counts): Promise<void> {
  const postings = stale.map(({ id, kind, terms }) => [
    id,
    terms.map((term) => wordOf(term, kind)),
  ]);
  for (const { kind, terms } of stale) for (const term of terms) counts.add(term, kind, -1);
  await each(link, DROP_POSTINGS, postings);
  await each(
    link,
    DROP_DOCUMENTS,
    stale.map(({ id }) => [id]),
  );
}

async function add(link: Link, fresh: readonly Document[], counts: Counts): Promise<void> {
  const [last] = await link.rows(LAST, []);
  if (last === undefined) throw new Error('the index has lost its row');
  const all = new Set(fresh.flatMap(({ weights }) => [...weights.keys()]).concat(EVERYTHING));
  const ids = await termIds(link, [...all], column.whole(last, 'term'));
  const idOf = (term: string): number => ids.get(term) ?? 0;
  const before = column.whole(last, 'documents');
  const change = column.whole(last, 'changes') + 1;
  const rows: unknown[][] = [];
  const postings: (readonly [number, readonly number[]])[] = [];
  for (const [nth, { kind, ref, part, digest, weights }] of fresh.entries()) {
    const place = KINDS.indexOf(kind);
    const id = documentId(before + 1 + nth, place);
    const terms = [...weights].map(([term, weight]) => [idOf(term), weight] as const);
    const own: number[] = [];
    for (const [term, weight] of terms) {
      own.push(posting(wordOf(term, place), weight));
      counts.add(term, place, 1);
    }
    postings.push([id, own]);
    counts.add(idOf(EVERYTHING), place, 1);
    rows.push([id, place, ref, part, digest, termsText([[idOf(EVERYTHING), 0], ...terms])]);
  }
  await each(link, ADD_DOCUMENTS, rows);
  await each(link, ADD_POSTINGS, postings);
  await each(link, COUNT, counts.rows(change));
  await link.rows(COUNT_UP, [before + fresh.length, change]);
}

/** The ids of terms; those that are new are added, with their forms that lack a letter. */
async function termIds(
  link: Link,
  terms: readonly string[],
  last: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await link.rows(TERMS, [terms]);
  const ids = new Map(rows.map((row) => [column.text(row, 'term'), column.whole(row, 'id')]));
  const added = terms
    .filter((term) => !ids.has(term))
    .map((term, at) => [last + 1 + at, term] as const);
  for (const [id, term] of added) ids.set(term, id);
  await each(link, ADD_TERMS, added);
  const forms = added.flatMap(([id, term]) => deletionVariants(term).map((form) => [id, form]));
  await each(link, ADD_SHORTENED, forms);
  return ids;
}

async function each(
  link: Link,
  text: Statement,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  if (rows.length > 0) await link.rows(text, [JSON.stringify(rows)]);
}
