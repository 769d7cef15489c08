import { beginningsOf, rarity, type AskedWord, type NoteWord } from '../../domain/memory/words.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import type { Space } from './spaces.ts';

/** The words of notes, and the search by them. */
const ADD = statement(
  `INSERT INTO note_words (space, stem, whole, note, count)
    SELECT ?, value ->> 0, value ->> 1, ?, value ->> 2 FROM json_each(?)`,
  `INSERT INTO note_words (space, stem, whole, note, count)
    SELECT ?::bigint, value ->> 0, value ->> 1, ?::bigint, (value ->> 2)::bigint
    FROM json_array_elements(?::json)`,
);
const REMOVE = statement(
  `DELETE FROM note_words WHERE space = ? AND note = ? AND (stem, whole) IN
    (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
  `DELETE FROM note_words WHERE space = ? AND note = ? AND (stem, whole) IN
    (SELECT value ->> 0, value ->> 1 FROM json_array_elements(?::json))`,
);

export async function addWords(
  tx: Writer,
  space: number,
  note: number,
  words: readonly NoteWord[],
): Promise<void> {
  await linkOf(tx).rows(ADD, [space, note, listed(words)]);
}

/** `words` are those that were added, of the same content. */
export async function removeWords(
  tx: Writer,
  space: number,
  note: number,
  words: readonly NoteWord[],
): Promise<void> {
  await linkOf(tx).rows(REMOVE, [space, note, listed(words)]);
}

export function listed(words: readonly NoteWord[]): string {
  return JSON.stringify(words.map(({ stem, whole, count }) => [stem, whole, count]));
}

/** Sorts after every text that begins alike. */
const END = '\u{10FFFF}';

/**
 * Which notes have which of the asked words, and how often. `asked` is rows of (place, stem, from,
 * until): a word stands for one stem, the last one for all stems under which a word that begins
 * like it may stand.
 */
const HITS = `
  FROM asked JOIN note_words w ON w.space = ? AND w.stem >= asked.stem AND w.stem <= asked.stem_end
    AND w.whole >= asked.from_whole AND w.whole <= asked.to_whole`;
const ASKED_SQLITE = `asked (n, idf, stem, stem_end, from_whole, to_whole) AS MATERIALIZED (
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
  FROM json_each(?))`;
const ASKED_POSTGRES = `asked (n, idf, stem, stem_end, from_whole, to_whole) AS MATERIALIZED (
  SELECT (value ->> 0)::bigint, (value ->> 1)::bigint, (value ->> 2) COLLATE "C",
    (value ->> 3) COLLATE "C", (value ->> 4) COLLATE "C", (value ->> 5) COLLATE "C"
  FROM json_array_elements(?::json))`;
const HAVING = `SELECT asked.n, count(DISTINCT w.note) AS notes ${HITS} GROUP BY asked.n`;
const COUNT = statement(`WITH ${ASKED_SQLITE} ${HAVING}`, `WITH ${ASKED_POSTGRES} ${HAVING}`);

/**
 * BM25 with k1 = 1.2 and b = 0.75 in whole numbers: idf in millionths, and all of the fraction
 * times a thousand, where the usual length is never below one word.
 */
const SCORED = `
  SELECT no, changed, CAST(sum(idf * tf * 2200 / (1000 * tf + 300 + 900 * words / ?)) AS BIGINT)
    AS score
  FROM (SELECT asked.n, w.note, max(asked.idf) AS idf, CAST(sum(w.count) AS BIGINT) AS tf ${HITS}
    GROUP BY asked.n, w.note) AS word
  JOIN notes ON notes.no = word.note
  GROUP BY no, changed HAVING count(*) = ?
  ORDER BY score DESC, changed DESC LIMIT ?`;
const BEST = statement(
  `WITH ${ASKED_SQLITE} ${SCORED}`,
  `WITH ${ASKED_POSTGRES} ${SCORED.replace('words / ?', 'words / ?::bigint')}`,
);

/** A note that was found, and the change of its space that made it what was found. */
export interface FoundNote {
  readonly no: number;
  readonly changed: number;
}

/** The notes that have every asked word, best first; the newer first among equals. */
export async function searchWords(
  db: Reader,
  space: Space,
  words: readonly AskedWord[],
  limit: number,
): Promise<readonly FoundNote[]> {
  if (words.length === 0 || space.notes === 0) return [];
  const link = linkOf(db);
  const rows = await link.rows(COUNT, [asked(words, () => 0), space.no]);
  const having = new Map(rows.map((row) => [column.whole(row, 'n'), column.whole(row, 'notes')]));
  if (having.size < words.length) return [];
  const weighed = asked(words, (n) => rarity(space.notes, having.get(n) ?? 0));
  const usual = Math.max(1, Math.round(space.words / space.notes));
  const best = await link.rows(BEST, [weighed, usual, space.no, words.length, limit]);
  return best.map((row) => ({
    no: column.whole(row, 'no'),
    changed: column.whole(row, 'changed'),
  }));
}

type AskedRow = readonly [n: number, idf: number, ...range: string[]];

function asked(words: readonly AskedWord[], idf: (n: number) => number): string {
  const rows = words.flatMap(({ stem, begins }, n): AskedRow[] => {
    if (begins === undefined) return [[n, idf(n), stem, stem, '', END]];
    const whole = [begins, `${begins}${END}`];
    const shorter = beginningsOf(begins).filter((each) => each !== begins && each !== stem);
    return [
      [n, idf(n), stem, stem, '', END],
      ...shorter.map((each): AskedRow => [n, idf(n), each, each, ...whole]),
      ...(stem === begins ? [] : [[n, idf(n), begins, begins, ...whole] as const]),
      // What is longer than the beginning; the end alone is under a row of its own.
      [n, idf(n), `${begins}\u{1}`, `${begins}${END}`, ...whole],
    ];
  });
  return JSON.stringify(rows);
}
