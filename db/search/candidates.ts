import { kindOf, NAME_GAIN, type SearchWord } from '../../domain/search/plan.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';

/**
 * The documents that a plan's words lead to, with what each gains. Of a word that few documents have,
 * all are read; of a common one those where it weighs most, and where no word is rare, those that
 * have the two rarest. The best of what was found are then given what they gain by the common words
 * too. A list travels as one JSON text and is added up here: a row for each posting would cost more
 * than all the rest.
 */
export interface Candidate {
  readonly kind: number;
  readonly ref: string;
  readonly part: number;
  /** Gained by ideas. */
  readonly gain: number;
  readonly ideas: number;
  /** Weight of the whole name. */
  readonly named: number;
}

/** Documents of one word that are all read. */
const RARE = 500;
const STRONG_MAX = 150;
const BOTH_MAX = 150;
/** Of these the common words are looked up as well, and one of them is the best. */
const CANDIDATES_MAX = 150;

export async function candidates(
  db: Reader,
  words: readonly SearchWord[],
): Promise<readonly Candidate[]> {
  if (words.length === 0) return [];
  const rare = words.filter(({ documents }) => documents <= RARE);
  const common = words.filter(({ documents }) => documents > RARE);
  const tally = openTally(words);
  await read(db, ALL, rare, tally);
  if (common.length > 0) {
    await read(db, STRONG, common, tally);
    if (!rare.some(({ idea }) => idea > 0)) await readBoth(db, common, tally);
    await fill(db, common, tally);
  }
  return told(db, tally.best(CANDIDATES_MAX));
}

interface Gains {
  readonly document: number;
  /** By idea; 0 is the whole name. */
  readonly of: number[];
  /** Words whose weight in it is known. */
  readonly words: number[];
  gain: number;
}

/** What each document gains: of one idea the most that any of its words gives. */
interface Tally {
  add(word: number, document: number, weight: number): void;
  /** That a document has the word, when not how much it weighs there. */
  has(word: number, document: number): void;
  best(count: number): readonly Gains[];
}

/** Below what a word weighs anywhere but in the middle of a long text. */
const WEIGHT_UNKNOWN = 20;

function openTally(words: readonly SearchWord[]): Tally {
  const known = new Map(words.map((each) => [each.word, each]));
  const gains = new Map<number, Gains>();
  const gain = (word: number, document: number, weight: number): Gains | undefined => {
    const each = known.get(word);
    if (each === undefined) return undefined;
    const all = gains.get(document) ?? { document, of: [], words: [], gain: 0 };
    if (all.of.length === 0) gains.set(document, all);
    const [before, now] = [all.of[each.idea] ?? 0, weight * each.gain];
    if (now <= before) return all;
    all.of[each.idea] = now;
    all.gain += now - before;
    return all;
  };
  return {
    add(word, document, weight) {
      gain(word, document, weight)?.words.push(word);
    },
    // What it weighs is filled in with all the others; having it is worth being looked at.
    has(word, document) {
      gain(word, document, WEIGHT_UNKNOWN);
    },
    best: (count) =>
      worthSorting([...gains.values()], count)
        .sort((a, b) => b.gain - a.gain || a.document - b.document)
        .slice(0, count),
  };
}

/** Leaves out, where there are far more than are wanted, those that gain far less than the best. */
function worthSorting(all: Gains[], count: number): Gains[] {
  if (all.length <= 2 * count) return all;
  const least = all.reduce((most, { gain }) => Math.max(most, gain), 0) / GAIN_SHARE;
  return all.filter(({ gain }) => gain >= least);
}
const GAIN_SHARE = 5;

const TWO_LISTS = {
  sqlite: 'json_array(json_group_array(document), json_group_array(weight))',
  postgres: 'json_build_array(json_agg(document), json_agg(weight))::text',
};
const GIVEN = {
  sqlite: 'json_each(?) AS g',
  postgres: 'unnest(?::bigint[]) AS g (value)',
};
/** For each given word its postings as two lists. */
const lists = (which: string) => {
  const text = (dialect: 'sqlite' | 'postgres'): string => `
    SELECT g.value AS word, (SELECT ${TWO_LISTS[dialect]} FROM (
      SELECT document, weight FROM search_postings WHERE word = g.value ${which}) AS p) AS found
    FROM ${GIVEN[dialect]}`;
  return statement(text('sqlite'), text('postgres'));
};
const ALL = lists(`LIMIT ${RARE}`);
const STRONG = lists(`AND weight >= 96 ORDER BY weight DESC, document LIMIT ${STRONG_MAX}`);

async function read(
  db: Reader,
  which: typeof ALL,
  words: readonly SearchWord[],
  tally: Tally,
): Promise<void> {
  if (words.length === 0) return;
  const rows = await linkOf(db).rows(which, [words.map(({ word }) => word)]);
  for (const row of rows) {
    const word = column.whole(row, 'word');
    const [documents, weights] = listsOf(row);
    for (const [n, document] of documents.entries()) tally.add(word, document, weights[n] ?? 0);
  }
}

function listsOf(row: Row): readonly [readonly number[], readonly number[]] {
  const [documents, weights] = JSON.parse(column.textOrNull(row, 'found') ?? '[]') as [
    number[] | null | undefined,
    number[] | null | undefined,
  ];
  return [documents ?? [], weights ?? []];
}

const bothText = (list: string): string => `
  SELECT ${list} AS found FROM (
    SELECT a.document FROM search_postings AS a
    JOIN search_postings AS b ON b.document = a.document
    WHERE a.word = ? AND b.word = ? LIMIT ${BOTH_MAX}) AS p`;
const BOTH = statement(
  bothText('json_group_array(document)'),
  bothText('coalesce(json_agg(document), $$[]$$::json)::text'),
);

/** Documents that have the two rarest of the common words, wherever those stand in them. */
async function readBoth(db: Reader, common: readonly SearchWord[], tally: Tally): Promise<void> {
  const pair = rarestPair(common);
  if (pair === undefined) return;
  const [row] = await linkOf(db).rows(BOTH, pair);
  const documents = JSON.parse(row === undefined ? '[]' : column.text(row, 'found')) as number[];
  for (const document of documents) for (const word of pair) tally.has(word, document);
}

/** The two rarest common words of different ideas and the same kind of document. */
function rarestPair(common: readonly SearchWord[]): readonly [number, number] | undefined {
  const ordered = [...common].sort((a, b) => a.documents - b.documents || a.word - b.word);
  for (const first of ordered) {
    const second = ordered.find(
      (each) => each.idea !== first.idea && kindOf(each.word) === kindOf(first.word),
    );
    if (second !== undefined) return [first.word, second.word];
  }
  return undefined;
}

const filledText = (list: string, given: string, at: (place: number) => string): string => `
  SELECT ${list} AS found FROM ${given}
    JOIN search_postings AS p ON p.word = ${at(0)} AND p.document = ${at(1)}`;
const FILLED = statement(
  filledText(
    'json_group_array(json_array(p.word, p.document, p.weight))',
    'json_each(?) AS g',
    (place) => `g.value ->> ${place}`,
  ),
  filledText(
    'coalesce(json_agg(json_build_array(p.word, p.document, p.weight)), $$[]$$::json)::text',
    'jsonb_array_elements(?::jsonb) AS g (value)',
    (place) => `(g.value ->> ${place})::bigint`,
  ),
);

/** Gives the best so far what they gain by the common words, where they were not among the strong. */
async function fill(db: Reader, common: readonly SearchWord[], tally: Tally): Promise<void> {
  const unknown = tally
    .best(CANDIDATES_MAX)
    .flatMap(({ document, words }) =>
      common
        .filter(({ word }) => kindOf(word) === kindOf(document) && !words.includes(word))
        .map(({ word }) => [word, document]),
    );
  const [row] = await linkOf(db).rows(FILLED, [JSON.stringify(unknown)]);
  const found = JSON.parse(row === undefined ? '[]' : column.text(row, 'found')) as [
    number,
    number,
    number,
  ][];
  for (const [word, document, weight] of found) tally.add(word, document, weight);
}

const PLACES = statement(
  `SELECT json_group_array(json_array(id, kind, ref, part)) AS found FROM search_documents
    WHERE id IN (SELECT value FROM json_each(?))`,
  `SELECT coalesce(json_agg(json_build_array(id, kind, ref, part)), $$[]$$::json)::text AS found
    FROM search_documents WHERE id = ANY(?::bigint[])`,
);

async function told(db: Reader, best: readonly Gains[]): Promise<readonly Candidate[]> {
  const [row] = await linkOf(db).rows(PLACES, [best.map(({ document }) => document)]);
  const places = JSON.parse(row === undefined ? '[]' : column.text(row, 'found')) as [
    number,
    number,
    string,
    number,
  ][];
  const byId = new Map(places.map((place) => [place[0], place]));
  return best.flatMap(({ document, of, gain }) => {
    const place = byId.get(document);
    if (place === undefined) return [];
    const [, kind, ref, part] = place;
    const byName = of[0] ?? 0;
    const ideas = of.filter((each, idea) => idea > 0 && each > 0).length;
    return [{ kind, ref, part, gain: gain - byName, ideas, named: byName / NAME_GAIN }];
  });
}
