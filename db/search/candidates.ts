import { KINDS, NAME_GAIN, type SearchWord } from '../../domain/search/plan.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Statement } from '../connection.ts';

/**
 * The documents that a plan's words lead to, with what each gains. Of a word that few documents have,
 * all are read; of a common one those where it weighs most, and where no word is rare, those that
 * have the two rarest. Whatever was found is then given what it gains by the common words too.
 */
export interface Candidate {
  readonly kind: number;
  readonly ref: string;
  readonly part: number;
  readonly gain: number;
  readonly ideas: number;
  /** Weight of the whole name. */
  readonly named: number;
}

/** Documents of one word that are all read. */
const RARE = 600;
const STRONG_MAX = 200;
const BOTH_MAX = 200;
export const CANDIDATES_MAX = 200;
const SHAPES = [0, 1, 2, 4, 8, 16, 24];

export async function candidates(
  db: Reader,
  words: readonly SearchWord[],
): Promise<readonly Candidate[]> {
  if (words.length === 0) return [];
  const rare = words.filter(({ documents }) => documents <= RARE);
  const common = words.filter(({ documents }) => documents > RARE);
  const both = rare.some(({ idea }) => idea > 0) ? [] : rarestPair(common);
  const [r, c] = [shape(rare.length), shape(common.length)];
  const values = [
    ...padded(rare, r).flatMap(({ word, idea, gain }) => [idea, gain, word]),
    ...padded(common, c).flatMap(({ word, idea, gain }) => [idea, gain, word]),
    ...both.map(({ gain }) => gain),
    ...both.map(({ word }) => word),
    ...padded(common, c).flatMap(({ word, idea, gain }) => [word, idea, gain]),
  ];
  const [row] = await linkOf(db).rows(finding(r, c, both.length > 0), values);
  return found(row === undefined ? null : column.textOrNull(row, 'found'));
}

const NO_WORD: SearchWord = { word: -1, idea: 0, gain: 0, documents: 0 };

function padded(words: readonly SearchWord[], to: number): readonly SearchWord[] {
  return [...words, ...Array<SearchWord>(to - words.length).fill(NO_WORD)];
}

function shape(count: number): number {
  return SHAPES.find((each) => each >= count) ?? count;
}

/** The two rarest common words of different ideas and the same kind of document. */
function rarestPair(common: readonly SearchWord[]): readonly SearchWord[] {
  const ordered = [...common].sort((a, b) => a.documents - b.documents || a.word - b.word);
  for (const first of ordered) {
    const second = ordered.find(
      (each) => each.idea !== first.idea && each.word % KINDS.length === first.word % KINDS.length,
    );
    if (second !== undefined) return [first, second];
  }
  return [];
}

const made = new Map<string, Statement>();

/** The statement for so many rare and common words; there are few shapes, each is prepared once. */
function finding(rare: number, common: number, both: boolean): Statement {
  const name = `${rare} ${common} ${both}`;
  const known =
    made.get(name) ??
    statement(
      findingText(rare, common, both, 'sqlite'),
      findingText(rare, common, both, 'postgres'),
    );
  made.set(name, known);
  return known;
}

function findingText(
  rare: number,
  common: number,
  both: boolean,
  dialect: 'sqlite' | 'postgres',
): string {
  const int = dialect === 'sqlite' ? '?' : '?::bigint';
  const times = (count: number, text: string): string[] => Array<string>(count).fill(text);
  const read = times(
    rare,
    `SELECT document, ${int} AS idea, weight * ${int} AS gain FROM search_postings
      WHERE word = ${int}`,
  );
  const strong = times(
    common,
    `SELECT * FROM (SELECT document, ${int} AS idea, weight * ${int} AS gain FROM search_postings
      WHERE word = ${int} AND weight >= 96 ORDER BY weight DESC, document LIMIT ${STRONG_MAX}) AS s`,
  );
  const hits = [...read, ...strong].join(' UNION ALL ');
  const pair = both
    ? `UNION ALL SELECT * FROM (
        SELECT a.document, -1 AS idea, a.weight * ${int} + b.weight * ${int} AS gain
        FROM search_postings AS a
        JOIN search_postings AS b ON b.document = a.document
        WHERE a.word = ${int} AND b.word = ${int} LIMIT ${BOTH_MAX}) AS p`
    : '';
  const asked = times(common, `SELECT ${int} AS word, ${int} AS idea, ${int} AS gain`);
  const filled =
    common === 0
      ? 'SELECT document, idea, gain FROM hits'
      : `SELECT document, idea, gain FROM hits
        UNION ALL SELECT t.document, q.idea, q.gain * p.weight FROM top AS t
        CROSS JOIN (${asked.join(' UNION ALL ')}) AS q
        JOIN search_postings AS p ON p.word = q.word AND p.document = t.document`;
  const list =
    dialect === 'sqlite'
      ? 'json_group_array(json_array(kind, ref, part, gain, ideas, named))'
      : 'json_agg(json_build_array(kind, ref, part, gain, ideas, named))::text';
  return `
    WITH hits AS (${hits}),
    top AS (
      SELECT document, sum(best) AS gain FROM (
        SELECT document, idea, max(gain) AS best FROM (SELECT * FROM hits ${pair}) AS h
        GROUP BY document, idea) AS b
      GROUP BY document ORDER BY gain DESC, document LIMIT ${CANDIDATES_MAX * 3}),
    filled AS (${filled}),
    scored AS (
      SELECT document, sum(CASE WHEN idea > 0 THEN best ELSE 0 END) AS gain,
        sum(CASE WHEN idea > 0 AND best > 0 THEN 1 ELSE 0 END) AS ideas,
        max(CASE WHEN idea = 0 THEN best ELSE 0 END) / ${NAME_GAIN} AS named
      FROM (SELECT document, idea, max(gain) AS best FROM filled GROUP BY document, idea) AS b
      GROUP BY document ORDER BY named DESC, gain DESC, document LIMIT ${CANDIDATES_MAX})
    SELECT ${list} AS found FROM scored AS s JOIN search_documents AS d ON d.id = s.document`;
}

type Told = readonly [number, string, number, number, number, number];

function found(text: string | null): readonly Candidate[] {
  const told = text === null ? [] : (JSON.parse(text) as readonly Told[]);
  return told.map(([kind, ref, part, gain, ideas, named]) => {
    return { kind, ref, part, gain, ideas, named };
  });
}
