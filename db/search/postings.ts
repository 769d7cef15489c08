import { kindOf, type SearchWord } from '../../domain/search/plan.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Dialect, type Reader } from '../connection.ts';
import type { Postings } from './memory.ts';

/**
 * In which documents the words of a query are. A list travels as one JSON text: a row for each
 * posting would cost more than all the rest.
 */
const RARE = 500;
const STRONG_MAX = 150;
const BOTH_MAX = 150;

/** Of a word that so few documents have, all are read; of others those where it weighs most. */
export function isRare({ documents }: SearchWord): boolean {
  return documents <= RARE;
}

const TWO_LISTS: Readonly<Record<Dialect, string>> = {
  sqlite: 'json_array(json_group_array(document), json_group_array(weight))',
  postgres: 'json_build_array(json_agg(document), json_agg(weight))::text',
};
const lists = (dialect: Dialect, word: string, which: string): string => `(
  SELECT ${TWO_LISTS[dialect]} FROM (
    SELECT document, weight FROM search_postings WHERE word = ${word} ${which}) AS p)`;
/** For each given `[word, 1 when rare]` its postings as two lists. */
const postingsText = (dialect: Dialect, word: string, rare: string, given: string): string => `
  SELECT ${word} AS word, CASE WHEN ${rare}
    THEN ${lists(dialect, word, `LIMIT ${RARE}`)}
    ELSE ${lists(dialect, word, `AND weight >= 96 ORDER BY weight DESC, document LIMIT ${STRONG_MAX}`)}
    END AS found FROM ${given}`;
const POSTINGS = statement(
  postingsText('sqlite', 'g.value ->> 0', 'g.value ->> 1 = 1', 'json_each(?) AS g'),
  postingsText(
    'postgres',
    '(g.value ->> 0)::bigint',
    "g.value ->> 1 = '1'",
    'jsonb_array_elements(?::jsonb) AS g (value)',
  ),
);

/**
 * By number of the word; those that this process has read since they changed are not read again.
 */
export async function postingsOf(
  db: Reader,
  words: Iterable<SearchWord>,
): Promise<ReadonlyMap<number, Postings>> {
  const all = new Map<number, Postings>();
  const unknown = new Map<number, SearchWord>();
  for (const word of words) {
    const known = db.search?.postings.get(word.word);
    if (known?.changed === word.changed) all.set(word.word, known);
    else unknown.set(word.word, word);
  }
  if (unknown.size === 0) return all;
  const given = [...unknown.values()].map((word) => [word.word, isRare(word) ? 1 : 0]);
  for (const row of await linkOf(db).rows(POSTINGS, [JSON.stringify(given)])) {
    const word = column.whole(row, 'word');
    const [documents, weights] = JSON.parse(column.textOrNull(row, 'found') ?? '[]') as [
      number[] | null | undefined,
      number[] | null | undefined,
    ];
    const changed = unknown.get(word)?.changed ?? 0;
    const read = { changed, documents: documents ?? [], weights: weights ?? [] };
    db.search?.postings.set(word, read);
    all.set(word, read);
  }
  return all;
}

const bothText = (list: string): string => `
  SELECT ${list} AS found FROM (
    SELECT a.document FROM search_postings AS a
    JOIN search_postings AS b ON b.document = a.document
    WHERE a.word = ? AND b.word = ? ORDER BY a.document LIMIT ${BOTH_MAX}) AS p`;
const BOTH = statement(
  bothText('json_group_array(document)'),
  bothText('coalesce(json_agg(document), $$[]$$::json)::text'),
);

export type WordPair = readonly [SearchWord, SearchWord];

/** Documents that have both words, wherever those stand in them. */
export async function documentsWithBoth(
  db: Reader,
  [first, second]: WordPair,
): Promise<readonly number[]> {
  const name = `${first.word} ${second.word}`;
  const known = db.search?.pairs.get(name);
  if (known?.changed[0] === first.changed && known.changed[1] === second.changed) {
    return known.documents;
  }
  const [row] = await linkOf(db).rows(BOTH, [first.word, second.word]);
  const documents = JSON.parse(row === undefined ? '[]' : column.text(row, 'found')) as number[];
  db.search?.pairs.set(name, { changed: [first.changed, second.changed], documents });
  return documents;
}

/** The two rarest words of different ideas and the same kind of document. */
export function rarestPair(words: readonly SearchWord[]): WordPair | undefined {
  const ordered = [...words].sort((a, b) => a.documents - b.documents || a.word - b.word);
  for (const first of ordered) {
    const second = ordered.find(
      (each) => each.queryTerm !== first.queryTerm && kindOf(each.word) === kindOf(first.word),
    );
    if (second !== undefined) return [first, second];
  }
  return undefined;
}
