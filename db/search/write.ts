import { KINDS } from '../../domain/search/plan.ts';
import type { Document } from '../../domain/search/documents.ts';
import { termsText } from '../../domain/search/terms.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { lock } from '../advisoryLocks.ts';
import { linkOf, statement, type Link, type Statement, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';
import type { Queued } from './queue.ts';

const APART = { apart: 'about no account' };

/**
 * Puts documents where the index of every process reads them. One process does it at a time, so
 * changes are counted up here in the order of their commits, and no other writer meets these rows.
 */
const LAST = statement('SELECT seq FROM search_index');
const COUNT_UP = statement('UPDATE search_index SET seq = ?');
export const SEARCH_INDEX = table(
  'search_index',
  { id: columns.integer().key(), seq: columns.integer() },
  { use: 'single', personal: APART },
);

export const SEARCH_DOCUMENTS = table(
  'search_documents',
  {
    seq: columns.integer().key(),
    kind: columns.integer(),
    ref: columns.text(),
    part: columns.integer(),
    digest: columns.text(),
    terms: columns.text(),
    answers: columns.flag(),
    karma: columns.integer(),
    reach: columns.integer(),
  },
  { use: 'single', personal: APART },
);
type Known = Omit<RowIn<typeof SEARCH_DOCUMENTS>, 'terms'>;

const KNOWN = inListStatement(
  (given) => `SELECT ${SEARCH_DOCUMENTS.columns.join(', ').replace('terms', "'' AS terms")}
    FROM search_documents WHERE ref ${given}`,
);

/** A statement over rows that travel as one JSON array of arrays. */
function rowwise(text: (rows: string) => string, types: readonly ('text' | 'bigint')[]): Statement {
  const sqlite = types.map((_, at) => `value ->> ${at} AS v${at}`);
  const postgres = types.map((type, at) => `(value ->> ${at})::${type} AS v${at}`);
  return statement(
    text(`(SELECT ${sqlite.join(', ')} FROM json_each(?))`),
    text(`(SELECT ${postgres.join(', ')} FROM jsonb_array_elements(?::jsonb))`),
  );
}

const DROP = rowwise(
  (rows) => `DELETE FROM search_documents WHERE seq IN (SELECT v0 FROM ${rows} AS given)`,
  ['bigint'],
);
const ADD = rowwise(
  (rows) => `
    INSERT INTO search_documents (${SEARCH_DOCUMENTS.columns.join(', ')})
    SELECT v0, v1, v2, v3, v4, v5, v6, v7, v8 FROM ${rows} AS given`,
  ['bigint', 'bigint', 'text', 'bigint', 'text', 'text', 'bigint', 'bigint', 'bigint'],
);
const DONE = rowwise(
  (rows) => `DELETE FROM search_queue WHERE (kind, ref, stamp) IN
    (SELECT v0, v1, v2 FROM ${rows} AS given)`,
  ['text', 'text', 'bigint'],
);

/** The terms of a document that is gone. */
const GONE = '';

/** Writes the state of the queued documents into the index, and takes them off the queue. */
export async function applyQueued(
  tx: Writer,
  entries: readonly Queued[],
  documents: readonly Document[],
): Promise<void> {
  const link = linkOf(tx);
  await lock(tx, 'searchIndex');
  const known = await knownDocuments(link, entries);
  const given = new Set(documents.map(placeOf));
  const changed = documents.filter((each) => !isSame(each, known.get(placeOf(each))));
  const gone = [...known.values()].filter(
    (each) => each.digest !== GONE && !given.has(placeOf({ ...each, kind: kindOf(each) })),
  );
  if (changed.length + gone.length > 0) {
    const [last] = await link.rows(LAST, []);
    if (last === undefined) throw new Error('the index has lost its row');
    let seq = column.whole(last, 'seq');
    const rows = [
      ...gone.map(({ kind, ref, part }) => [++seq, kind, ref, part, GONE, '', 0, 0, 0]),
      ...changed.map((each) => [++seq, ...valuesOf(each)]),
    ];
    const stale = [...gone, ...changed.flatMap((each) => known.get(placeOf(each)) ?? [])];
    await each(
      link,
      DROP,
      stale.map((one) => [one.seq]),
    );
    await each(link, ADD, rows);
    await link.rows(COUNT_UP, [seq]);
  }
  await each(
    link,
    DONE,
    entries.map(({ kind, ref, stamp }) => [kind, ref, stamp]),
  );
}

function placeOf({ kind, ref, part }: Pick<Document, 'kind' | 'ref' | 'part'>): string {
  return `${kind} ${part} ${ref}`;
}

function kindOf({ kind }: Known): Document['kind'] {
  return KINDS[kind] ?? 'agent';
}

function isSame({ digest, standing }: Document, known: Known | undefined): boolean {
  return (
    known?.digest === digest &&
    known.answers === standing.answers &&
    known.karma === standing.karma &&
    known.reach === standing.reach
  );
}

function valuesOf({ kind, ref, part, digest, weights, standing }: Document): readonly unknown[] {
  const { answers, karma, reach } = standing;
  const place = KINDS.indexOf(kind);
  return [place, ref, part, digest, termsText(weights), answers ? 1 : 0, karma, reach];
}

async function knownDocuments(
  link: Link,
  entries: readonly Queued[],
): Promise<ReadonlyMap<string, Known>> {
  const rows = await link.rows(KNOWN, [entries.map(({ ref }) => ref)]);
  const documents = rows.map(SEARCH_DOCUMENTS.fromRow);
  return new Map(documents.map((each) => [placeOf({ ...each, kind: kindOf(each) }), each]));
}

async function each(
  link: Link,
  text: Statement,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  if (rows.length > 0) await link.rows(text, [JSON.stringify(rows)]);
}
