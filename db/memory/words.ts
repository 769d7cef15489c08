import { ANALYSER } from '../../domain/analysis/words.ts';
import {
  affordable,
  beginningsOf,
  ENTRIES_MAX,
  EXTENSION_WORTH,
  mayBeBeginning,
  OTHER_FORM_WORTH,
  rarity,
  SAME_WORTH,
  type AskedWord,
  type CountedWord,
  type NoteWord,
} from '../../domain/memory/words.ts';
import * as columns from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { IN_LIST } from '../inList.ts';
import { table } from '../batch/table.ts';
import type { Space } from './spaces.ts';

/**
 * Search by the words of notes. An entry has the number of its analyser; one of an earlier analyser
 * counts while its note waits for `reindex.ts`.
 */
export const NOTE_ENTRIES = table(
  'note_words',
  {
    space: columns.integer().key(),
    stem: columns.text().key(),
    whole: columns.text().key(),
    note: columns.integer().key(),
    count: columns.integer(),
    analyser: columns.integer(),
  },
  { use: 'single', personal: { apart: 'words of notes, which are in the export' } },
);
const ENTRY = NOTE_ENTRIES.columns.join(', ');
export const REPLACE_ENTRY = `ON CONFLICT (space, stem, whole, note)
  DO UPDATE SET ${NOTE_ENTRIES.replacement}`;
const ADD = statement(
  `INSERT INTO note_words (${ENTRY})
    SELECT ?, value ->> 0, value ->> 1, ?, value ->> 2, ${ANALYSER} FROM json_each(?)
    WHERE true ${REPLACE_ENTRY}`,
  `INSERT INTO note_words (${ENTRY})
    SELECT ?::bigint, value ->> 0, value ->> 1, ?::bigint, (value ->> 2)::bigint, ${ANALYSER}
    FROM json_array_elements(?::json) ${REPLACE_ENTRY}`,
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
 * `asked` has rows of (n, idf, worth, stem, stem_end, from_whole, to_whole, whole): the entries of
 * word `n` lie in these ranges, and those of its very form `whole` have their full worth.
 */
const IN_RANGE = `w.space = ? AND w.stem >= asked.stem AND w.stem <= asked.stem_end
    AND w.whole >= asked.from_whole AND w.whole <= asked.to_whole`;
const NUMBERS = ['n', 'idf', 'worth'];
const TEXTS = ['stem', 'stem_end', 'from_whole', 'to_whole', 'whole'];
const COLUMNS = [...NUMBERS, ...TEXTS];
const ASKED_SQLITE = `asked (${COLUMNS.join(', ')}) AS MATERIALIZED (
  SELECT ${COLUMNS.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(?))`;
const ASKED_POSTGRES = `asked (${COLUMNS.join(', ')}) AS MATERIALIZED (
  SELECT ${NUMBERS.map((_, at) => `(value ->> ${at})::bigint`).join(', ')},
    ${TEXTS.map((_, at) => `(value ->> ${NUMBERS.length + at}) COLLATE "C"`).join(', ')}
  FROM json_array_elements(?::json))`;
const onBoth = (text: (inList: string) => string): ReturnType<typeof statement> =>
  statement(
    `WITH ${ASKED_SQLITE} ${text(IN_LIST.sqlite)}`,
    `WITH ${ASKED_POSTGRES} ${text(IN_NUMBERS)}`,
  );
const IN_NUMBERS = '= ANY(?::bigint[])';

/** Stops counting where a word has become too common to matter. */
const ENTRIES = `SELECT w.note FROM note_words w WHERE ${IN_RANGE} LIMIT ${ENTRIES_MAX + 1}`;
/** Two numbers of one subquery, which may return only one. */
const SHIFT = 2 ** 20;
const COUNT = onBoth(
  () => `
  SELECT n, CAST(sum(packed / ${SHIFT}) AS BIGINT) AS notes,
    CAST(sum(packed % ${SHIFT}) AS BIGINT) AS entries
  FROM (SELECT asked.n, (SELECT count(DISTINCT note) * ${SHIFT} + count(*)
      FROM (${ENTRIES}) AS e) AS packed FROM asked) AS c
  WHERE packed > 0 GROUP BY n`,
);

/**
 * BM25 with k1 = 1.2 and b = 0.75 in whole numbers: idf in millionths, worth in hundredths, and all
 * of the fraction times a thousand, where the usual length is never below one word.
 */
const BEST = onBoth(
  (inList) => `
  SELECT no, changed, CAST(sum(idf * worth * tf * 22 /
      (1000 * tf + 300 + 900 * words / CAST(? AS BIGINT))) AS BIGINT) AS score
  FROM (
    SELECT asked.n, w.note, max(asked.idf) AS idf, max(w.analyser) AS analyser,
      max(CASE WHEN w.whole = asked.whole THEN ${SAME_WORTH} ELSE asked.worth END) AS worth,
      CAST(sum(w.count) AS BIGINT) AS tf
    FROM asked JOIN note_words w ON ${IN_RANGE} GROUP BY asked.n, w.note) AS word
  JOIN notes ON notes.no = word.note
  WHERE (word.analyser = ${ANALYSER} OR EXISTS (SELECT 1 FROM note_reindexing r
      WHERE r.space = notes.space AND notes.changed > r.done AND notes.changed <= r.until))
    AND (CAST(? AS INTEGER) = 0 OR notes.no ${inList})
  GROUP BY no, changed ORDER BY score DESC, changed DESC LIMIT ?`,
);

/** A note that was found, and the change of its space that made it what was found. */
export interface FoundNote {
  readonly no: number;
  readonly changed: number;
}

/** The notes, or those of a list, that have any of the words, best first, of equals the newer. */
export async function searchWords(
  db: Reader,
  space: Space,
  words: readonly AskedWord[],
  limit: number,
  among?: readonly number[],
): Promise<readonly FoundNote[]> {
  if (space.notes === 0) return [];
  const looked = await lookedFor(db, space, words);
  if (looked.length === 0) return [];
  const weighed = affordable(looked).flatMap(({ n, notes, ranges }) =>
    rowsOf(n, rarity(space.notes, notes), ranges),
  );
  const usual = Math.max(1, Math.round(space.words / space.notes));
  const only = among === undefined ? [0, []] : [1, among];
  const values = [JSON.stringify(weighed), usual, space.no, ...only, limit];
  return (await linkOf(db).rows(BEST, values)).map((row) => ({
    no: column.whole(row, 'no'),
    changed: column.whole(row, 'changed'),
  }));
}

/** Entries of a word: of a stem, or of stems and whole forms between two. */
type Range = readonly [worth: number, ...texts: string[]];

interface LookedFor extends CountedWord {
  readonly ranges: readonly Range[];
}

/** The words that notes of the space have, and extensions of those that none has. */
async function lookedFor(
  db: Reader,
  space: Space,
  words: readonly AskedWord[],
): Promise<readonly LookedFor[]> {
  const found = await counted(db, space, words.map(formsOf));
  const known = new Set(found.map(({ n }) => n));
  const missing = words.flatMap((word, n) =>
    !known.has(n) && mayBeBeginning(word, n === words.length - 1) ? [{ word, n }] : [],
  );
  if (missing.length === 0) return found;
  const extended = await counted(
    db,
    space,
    missing.map(({ word }) => extensionsOf(word)),
  );
  // The beginning of very many words says nothing.
  const telling = extended.filter(({ entries }) => entries <= ENTRIES_MAX);
  return [...found, ...telling.map((each) => ({ ...each, n: missing[each.n]?.n ?? each.n }))];
}

async function counted(
  db: Reader,
  space: Space,
  words: readonly (readonly Range[])[],
): Promise<readonly LookedFor[]> {
  const rows = words.flatMap((ranges, n) => rowsOf(n, 0, ranges));
  return (await linkOf(db).rows(COUNT, [JSON.stringify(rows), space.no])).map((row) => {
    const n = column.whole(row, 'n');
    const [notes, entries] = [column.whole(row, 'notes'), column.whole(row, 'entries')];
    return { n, notes, entries, ranges: words[n] ?? [] };
  });
}

function rowsOf(n: number, idf: number, ranges: readonly Range[]): readonly unknown[] {
  return ranges.map((range) => [n, idf, ...range]);
}

function formsOf({ stem, whole }: AskedWord): readonly Range[] {
  return [[OTHER_FORM_WORTH, stem, stem, '', END, whole]];
}

function extensionsOf({ whole }: AskedWord): readonly Range[] {
  const wholes = [whole, `${whole}${END}`, whole];
  return [
    ...beginningsOf(whole).map((stem): Range => [EXTENSION_WORTH, stem, stem, ...wholes]),
    // Stems that are longer than the word; `\u{1}` is below every letter.
    [EXTENSION_WORTH, `${whole}\u{1}`, `${whole}${END}`, ...wholes],
  ];
}
