import { stem } from './stem.ts';

/**
 * From text to the words that are searched for: lower case without accents, cut at everything that
 * is no letter or digit and inside identifiers (`createIssue`, `PDFReader`), less their endings.
 * Scripts that are written without spaces become pairs of characters. The same text gives the same
 * words on every database.
 */
export const WORD_LENGTH_MAX = 40;
const TEXT_LENGTH_MAX = 20_000;

const RUN = /[\p{L}\p{N}]+/gu;
const HUMP = /(\p{Ll}|\p{N})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const STOP = new Set(
  (
    'a an and are as at be been by can could did do does for from had has have how i if in into is it ' +
    'its me my of on or our please should so than that the their them then there these this to us was ' +
    'we were what when where which who will with would you your'
  ).split(' '),
);

/** One word as it stood in the text, and the forms that it is known by. */
export interface Word {
  /** Lower case, accents off, nothing cut. */
  readonly whole: string;
  /** Less its ending. */
  readonly stem: string;
  /** The humps of an identifier, when it has several; stems. */
  readonly parts: readonly string[];
}

export function isStopWord(word: string): boolean {
  return STOP.has(word);
}

/** The words of a text in their order, stop words among them; at most `max`. */
export function wordsOf(text: string, max: number): readonly Word[] {
  const words: Word[] = [];
  for (const [run] of text.slice(0, TEXT_LENGTH_MAX).normalize('NFKC').matchAll(RUN)) {
    if (words.length >= max) break;
    if (UNSPACED.test(run))
      words.push(
        ...pairs(run)
          .slice(0, max - words.length)
          .map(plainWord),
      );
    else words.push(wordOf(run));
  }
  return words;
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
  const whole = plain(run);
  const humps = run.replace(HUMP, '$1$2 ').split(' ');
  const parts = humps.length < 2 ? [] : humps.map((hump) => stem(plain(hump)));
  return { whole, stem: stem(whole), parts };
}

function plainWord(whole: string): Word {
  return { whole, stem: whole, parts: [] };
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().slice(0, WORD_LENGTH_MAX);
}

function pairs(run: string): readonly string[] {
  const characters = [...run.toLowerCase()];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

/**
 * A whole name as one term, however it is spelled: `create_issue`, `createIssue` and `Create issue`
 * are the same. The sign keeps it apart from words. Undefined when nothing of it is left.
 */
export function nameTerm(name: string): string | undefined {
  const squashed = plain(name.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, ''));
  return squashed === '' ? undefined : `=${squashed}`;
}
