import {
  formsOf,
  LATIN_LANGUAGES,
  STEMMED_LENGTH_MAX,
  stemIn,
  type Language,
} from '../analysis/languages.ts';
import { foldedWord, isPaired } from '../analysis/words.ts';
import { meanings as stored } from '../../generated/meanings.ts';
import type { Meanings } from './meanings/table.ts';

const LANGUAGES_WITH_MEANINGS = [
  'german',
  'french',
  'spanish',
  'italian',
  'portuguese',
  'russian',
] as const;

/** Words of other languages for what tools do, as stems of English words (choices search.languages). */
function tableOf(name: keyof typeof stored): Meanings {
  return new Map(
    stored[name].split(';').map((entry) => {
      const [word = '', ...stems] = entry.split(' ');
      return [word, stems];
    }),
  );
}

const SPACED = new Map<Language, Meanings>(
  LANGUAGES_WITH_MEANINGS.map((language) => [language, tableOf(language)]),
);
const PAIRED = tableOf('paired');
const PAIRED_LENGTH_MAX = Math.max(...[...PAIRED.keys()].map((word) => word.length));

/** Every language, for a query, which is too short to show its own. */
const ALL_LANGUAGES: readonly Language[] = [...LATIN_LANGUAGES, 'russian'];

/** English stems for a word of one of these languages; none for most. */
export function meaningsOf(written: string, languages: readonly Language[]): readonly string[] {
  if (written === '' || written.length > STEMMED_LENGTH_MAX || isPaired(written)) return [];
  const found = languages.flatMap((language) => {
    const meanings = SPACED.get(language);
    if (meanings === undefined) return [];
    const own = meanings.get(foldedWord(written)) ?? meanings.get(stemIn(language, written));
    return own ?? (language === 'german' ? ofCompound(meanings, written) : []);
  });
  return [...new Set(found)];
}

/** All that a word of a query may be in another language, worked out when it is asked for. */
export interface Abroad {
  readonly forms: () => readonly string[];
  readonly meanings: () => readonly string[];
}

const known = new Map<string, Abroad>();
const KNOWN_MAX = 20_000;

/**
 * The same words are asked for again and again, and their stemmers take longer than the search,
 * which needs them for rare words alone.
 */
export function abroad(written: string): Abroad {
  const before = known.get(written);
  if (before !== undefined) return before;
  const found = {
    forms: once(() => formsOf(written, ALL_LANGUAGES)),
    meanings: once(() => meaningsOf(written, ALL_LANGUAGES)),
  };
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(written, found);
  return found;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const PART_LENGTH_MIN = 4;
const LINK = /(?:es|en|s|n)$/;

/** German writes words together; both parts are looked for, the longest first part first. */
function ofCompound(meanings: Meanings, written: string): readonly string[] {
  const meaning = (part: string): readonly string[] =>
    meanings.get(foldedWord(part)) ?? meanings.get(stemIn('german', part)) ?? [];
  let best: readonly string[] = [];
  for (let at = written.length - PART_LENGTH_MIN; at >= PART_LENGTH_MIN; at -= 1) {
    const [first, last] = [written.slice(0, at), written.slice(at)];
    const own = meaning(first);
    const firsts = own.length > 0 ? own : meaning(first.replace(LINK, ''));
    const lasts = meaning(last);
    if (firsts.length > 0 && lasts.length > 0) return [...firsts, ...lasts];
    if (best.length === 0) best = firsts.length > 0 ? firsts : lasts;
  }
  return best;
}

export interface Segment {
  readonly from: number;
  readonly word: string;
  readonly meanings: readonly string[];
}

const HIRAGANA = /^\p{Script=Hiragana}$/u;

/** The known words in a run without spaces, the longest first; one character only between particles. */
export function segmentsOf(run: string): readonly Segment[] {
  const segments: Segment[] = [];
  for (let from = 0; from < run.length;) {
    const segment = segmentAt(run, from);
    if (segment !== undefined) segments.push(segment);
    from += segment?.word.length ?? 1;
  }
  return segments;
}

function segmentAt(run: string, from: number): Segment | undefined {
  for (let length = PAIRED_LENGTH_MAX; length >= 1; length -= 1) {
    const word = run.slice(from, from + length);
    const meanings = word.length === length ? PAIRED.get(word) : undefined;
    if (meanings === undefined) continue;
    if (length > 1 || (isEdge(run, from - 1) && isEdge(run, from + 1))) {
      return { from, word, meanings };
    }
  }
  return undefined;
}

function isEdge(run: string, at: number): boolean {
  const character = run[at];
  return character === undefined || HIRAGANA.test(character);
}
