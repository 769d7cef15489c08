import { head } from '../text.ts';
import { stem } from './stem.ts';

/**
 * The analyser of both text searches, of listings and of notes: lower case without accents, cut at
 * everything that is no letter, digit or mark and inside identifiers (`createIssue`, `PDFReader`),
 * English endings removed. Scripts that write no spaces, and Hangul, whose particles adhere to the
 * word, become pairs of characters. The same text gives the same words on every database.
 *
 * A change of what this module or `fold.ts` returns raises the number below, and a migration has
 * both indexes made again (choices search.analyser, memory.reindexing).
 */
export const ANALYSER = 1;
const WORD_LENGTH_MAX = 40;
const TEXT_LENGTH_MAX = 20_000;
/** A longer run of letters is no word; only its beginning is analysed. */
const RUN_LENGTH_MAX = 200;

const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const HUMP = /(\p{Ll}|\p{N})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const PAIRED =
  '\\p{Script=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{Script=Hangul}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const IS_PAIRED = new RegExp(`[${PAIRED}]`, 'u');
const SPAN = new RegExp(`[${PAIRED}]+|[^${PAIRED}]+`, 'gu');

const STOP = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have he her his how ' +
    'i if in into is it its me my of on or our please s she should so than that the their them ' +
    'then there these they this to us was we were what when where which who will with would you your'
  ).split(' '),
);

export interface Word {
  /** Lower case, accents off, nothing cut. */
  readonly whole: string;
  /** Less its ending. */
  readonly stem: string;
  /** The humps of an identifier, when it has several; stems. */
  readonly parts: readonly string[];
  /** As it was written, in small letters; of a run of pairs the whole run at the first one. */
  readonly written: string;
}

export function isStopWord(word: string): boolean {
  return STOP.has(word);
}

export function wordsOf(text: string, max: number): readonly Word[] {
  const words: Word[] = [];
  const ready = head(normalized(head(text, TEXT_LENGTH_MAX)), TEXT_LENGTH_MAX);
  for (const [run] of ready.matchAll(RUN)) {
    if (words.length >= max) break;
    if (!IS_PAIRED.test(run)) add(words, wordOf(run));
    else {
      for (const [span] of run.matchAll(SPAN)) {
        if (words.length >= max) break;
        if (!IS_PAIRED.test(span)) add(words, wordOf(span));
        else
          words.push(
            ...pairs(span, max - words.length).map((pair, at) => pairWord(pair, at, span)),
          );
      }
    }
  }
  return words;
}

/** Returns the words of a text that none of the given stems stands for, each once. */
export function wordsWithout(text: string, stems: readonly string[]): readonly string[] {
  const used = new Set(stems);
  const left = wordsOf(text, text.length).filter((word) => !used.has(word.stem));
  return [...new Set(left.map(({ whole }) => whole))];
}

/** A run of marks alone folds to nothing. */
function add(words: Word[], word: Word): void {
  if (word.whole !== '') words.push(word);
}

/** Texts use the same words again and again; taking one apart costs far more than looking it up. */
const known = new Map<string, Word>();
const KNOWN_MAX = 20_000;
/** A longer part of a text keeps the whole text in memory. */
const KNOWN_LENGTH_MAX = 12;

function wordOf(run: string): Word {
  const before = known.get(run);
  if (before !== undefined) return before;
  const word = takenApart(run);
  if (known.size >= KNOWN_MAX) known.clear();
  if (run.length <= KNOWN_LENGTH_MAX) known.set(run, word);
  return word;
}

function takenApart(run: string): Word {
  const word = head(run, RUN_LENGTH_MAX);
  const whole = plain(word);
  const humps = word.replace(HUMP, '$1$2 ').split(' ');
  const parts = humps.length < 2 ? [] : humps.map((hump) => stem(plain(hump)));
  return { whole, stem: stem(whole), parts, written: word.toLowerCase() };
}

function pairWord(whole: string, at: number, span: string): Word {
  const written = at === 0 ? head(span, RUN_LENGTH_MAX) : '';
  return { whole, stem: whole, parts: [], written };
}

/** Whether a word is of a writing that becomes pairs of characters. */
export function isPaired(word: string): boolean {
  return IS_PAIRED.test(word);
}

/** A word of another analyser in the letters of this one. */
export function foldedWord(word: string): string {
  return plain(word);
}

/** A word that was cut ends with a whole character, which PostgreSQL insists on. */
function plain(text: string): string {
  return head(fold(text), WORD_LENGTH_MAX);
}

function pairs(span: string, max: number): readonly string[] {
  const characters = [...span].slice(0, max + 1);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

/**
 * A whole name as one term, however it is spelled: `create_issue`, `createIssue` and `Create issue`
 * are the same. The sign keeps it apart from words. Undefined when nothing of it is left.
 */
export function nameTerm(name: string): string | undefined {
  const squashed = plain(
    normalized(head(name, RUN_LENGTH_MAX)).replace(/[^\p{L}\p{N}\p{M}]+/gu, ''),
  );
  return squashed === '' ? undefined : `=${squashed}`;
}

/**
 * Folds a word to the letters that a keyboard without them would type: lower case, without accents
 * and vowel points, `ł` as `l`, `ß` as `ss`. The marks of Indic and Thai script stay, because they
 * are the vowels there. The Arabic article goes as well, as it is part of the word in writing. Both
 * sides of a search are folded, so the result need not be correct spelling.
 */
const ACCENT =
  /(?=[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}])\p{M}/gu;

/** Letters that Unicode does not decompose; those of Arabic follow Lucene's normalizer. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    þ: 'th',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    ɖ: 'd',
    ɗ: 'd',
    ł: 'l',
    ħ: 'h',
    ŧ: 't',
    ı: 'i',
    ŋ: 'n',
    ĸ: 'k',
    ƙ: 'k',
    ɓ: 'b',
    ə: 'e',
    ς: 'σ',
    ٱ: 'ا',
    ى: 'ي',
    ی: 'ي',
    ک: 'ك',
    ة: 'ه',
    ـ: '',
  }),
);
const FOLDED = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu');
const ASCII = /^[\0-\x7f]*$/;

/** The Arabic article and what is written together with it, before at least three letters. */
const ARTICLE = /^(?:[وبكف]?ال|لل)(?=\p{Script=Arabic}{3})/u;

/** Where the ten digits of a script begin, for those whose digits are typed either way. */
const ZEROS = [0x660, 0x6f0, 0x966];
const DIGIT = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g;

function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(ACCENT, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(FOLDED, (letter) => LETTERS.get(letter) ?? letter)
    .replace(ARTICLE, '')
    .replace(DIGIT, digitOf);
}

function digitOf(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = ZEROS.findLast((each) => each <= code) ?? code;
  return String(code - zero);
}

/**
 * Text ready to be cut into words: compatibility forms resolved, invisible joiners removed. Sorting
 * one long run of combining marks is quadratic, 0.6 s for 20,000, so only the first few are kept.
 */
function normalized(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replace(MARKS, '$1').replace(INVISIBLE, '').normalize('NFKC');
}

const MARKS = /(\p{M}{8})\p{M}+/gu;
const INVISIBLE = /[\u00ad\u200d\u2060\ufeff]/g;
