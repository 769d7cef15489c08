import {
  documentsOf,
  PREFIX_SHARE,
  SYNONYM_SHARE,
  TYPO_SHARE,
  type Kind,
  type Stand,
  type Term,
} from '../../domain/search/plan.ts';
import type { Idea, Query } from '../../domain/search/query.ts';
import { distance, shortened, slipsOf } from '../../domain/search/shorten.ts';
import { stem } from '../../domain/search/stem.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';
import { EVERYTHING } from './write.ts';

/** What the index knows of the words of a query: each by itself, by its beginning, misspelled. */
export interface Looked {
  /** All documents of the asked kinds. */
  readonly total: number;
  /** The whole query, when something is called so. */
  readonly name: Term | undefined;
  /** For each idea the terms that may stand for it, its own word first. */
  readonly stands: readonly (readonly Stand[])[];
}

const COLUMNS = 'id, term, changed, agents, skills, tasks, comments';
const TERMS = statement(
  `SELECT ${COLUMNS} FROM search_terms WHERE term IN (SELECT value FROM json_each(?))`,
  `SELECT ${COLUMNS} FROM search_terms WHERE term = ANY(?::text[])`,
);
const BEGINNING = statement(`
  SELECT ${COLUMNS} FROM search_terms WHERE term >= ? AND term < ? AND agents + skills + tasks +
    comments > 0
  ORDER BY agents + skills + tasks + comments DESC, term LIMIT ?`);
const MISSPELLED = statement(
  `SELECT DISTINCT ${COLUMNS} FROM search_shortened AS s JOIN search_terms AS t ON t.id = s.term_id
    WHERE s.shortened IN (SELECT value FROM json_each(?))`,
  `SELECT DISTINCT ${COLUMNS} FROM search_shortened AS s JOIN search_terms AS t ON t.id = s.term_id
    WHERE s.shortened = ANY(?::text[])`,
);

const STANDS_MAX = 4;
const PREFIX_LENGTH_MIN = 3;
/** A last word that fewer documents have may be the beginning of another. */
const COMMON = 3;
const DISTANCE_MAX = 1;
/** From this length on, two letters may be wrong. */
const LONG = 8;

export async function lookUp(db: Reader, query: Query, kinds: readonly Kind[]): Promise<Looked> {
  const asked = query.ideas.flatMap(({ term, others }) => [term, ...others]);
  const names = query.name === undefined ? [] : [query.name];
  const rows = await linkOf(db).rows(TERMS, [[EVERYTHING, ...new Set([...asked, ...names])]]);
  const known = new Map(rows.map((row) => [column.text(row, 'term'), termOf(row)]));
  const found = (term: string): Term | undefined => {
    const each = known.get(term);
    return each !== undefined && documentsOf(each, kinds) > 0 ? each : undefined;
  };
  const everything = known.get(EVERYTHING);
  const stands: (readonly Stand[])[] = [];
  for (const idea of query.ideas) stands.push(await standsFor(db, idea, kinds, found));
  return {
    total: everything === undefined ? 0 : documentsOf(everything, kinds),
    name: query.name === undefined ? undefined : found(query.name),
    stands,
  };
}

async function standsFor(
  db: Reader,
  idea: Idea,
  kinds: readonly Kind[],
  found: (term: string) => Term | undefined,
): Promise<readonly Stand[]> {
  const own = found(idea.term);
  const stands: Stand[] = own === undefined ? [] : [{ term: own, share: 100 }];
  const others = idea.others.flatMap((other) => found(other) ?? []);
  stands.push(...others.map((term) => ({ term, share: SYNONYM_SHARE })));
  const isRare = own === undefined || documentsOf(own, kinds) < COMMON;
  if (isRare && (idea.isLast || own === undefined)) {
    stands.push(...standing(await beginningWith(db, idea.term), kinds, PREFIX_SHARE));
  }
  if (own === undefined) {
    stands.push(...standing(await misspelled(db, idea, kinds), kinds, TYPO_SHARE));
  }
  const seen = new Set<number>();
  const distinct = stands.filter(({ term }) => !seen.has(term.id) && seen.add(term.id));
  return distinct.slice(0, 1 + STANDS_MAX);
}

function standing(terms: readonly Term[], kinds: readonly Kind[], share: number): readonly Stand[] {
  return terms
    .filter((term) => documentsOf(term, kinds) > 0)
    .slice(0, STANDS_MAX)
    .map((term) => ({ term, share }));
}

async function beginningWith(db: Reader, beginning: string): Promise<readonly Term[]> {
  if (beginning.length < PREFIX_LENGTH_MIN) return [];
  // Above every letter that a word may go on with.
  const end = `${beginning}\u{10ffff}`;
  return (await linkOf(db).rows(BEGINNING, [beginning, end, STANDS_MAX])).map(termOf);
}

/** Terms that a slip of the finger makes of the word, the nearest and most common first. */
async function misspelled(
  db: Reader,
  { term: word, whole }: Idea,
  kinds: readonly Kind[],
): Promise<readonly Term[]> {
  const slips = new Set(slipsOf(whole).map(stem));
  if (slips.size === 0) return [];
  const meant = (await linkOf(db).rows(TERMS, [[...slips]]))
    .map(termOf)
    .map((term) => ({ term, off: 1 }));
  const forms = shortened(word);
  const max = word.length >= LONG ? DISTANCE_MAX + 1 : DISTANCE_MAX;
  const alike = forms.length === 0 ? [] : await linkOf(db).rows(MISSPELLED, [forms]);
  const near = alike
    .map(termOf)
    .map((term) => ({ term, off: distance(word, term.term, max) }))
    .filter(({ off }) => off <= max)
    .concat(meant);
  near.sort(
    (a, b) =>
      a.off - b.off ||
      documentsOf(b.term, kinds) - documentsOf(a.term, kinds) ||
      (a.term.term < b.term.term ? -1 : 1),
  );
  return near.map(({ term }) => term);
}

function termOf(row: Row): Term {
  return {
    id: column.whole(row, 'id'),
    term: column.text(row, 'term'),
    changed: column.whole(row, 'changed'),
    documents: ['agents', 'skills', 'tasks', 'comments'].map((name) => column.whole(row, name)),
  };
}
