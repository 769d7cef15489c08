import { stemIn, type Language } from '../../analysis/languages.ts';
import { stem } from '../../analysis/stem.ts';
import { foldedWord } from '../../analysis/words.ts';
import { CHINESE, JAPANESE, KOREAN } from './asian.ts';
import { FRENCH, GERMAN, RUSSIAN } from './northern.ts';
import { ITALIAN, PORTUGUESE, SPANISH } from './southern.ts';

/**
 * The vocabulary as stems of English words by the words of a language. `tools/generate` writes it to
 * generated/meanings.ts, because its stemmers would take a second of every start.
 */
export type Meanings = ReadonlyMap<string, readonly string[]>;

function* entriesOf(text: string): Generator<readonly [english: string, word: string]> {
  for (const line of text.trim().split(/;\s*/)) {
    const [english = '', ...words] = line.split(/\s+/);
    // The endings of one and of several are cut differently, such as of holiday and holidays.
    const stems = [...new Set([stem(english), stem(`${english}s`)])];
    for (const word of words) for (const each of stems) yield [each, word];
  }
}

function meaningsIn(text: string, keysOf: (word: string) => readonly string[]): Meanings {
  const found = new Map<string, string[]>();
  for (const [english, word] of entriesOf(text)) {
    for (const key of new Set(keysOf(word))) {
      const list = found.get(key);
      if (list === undefined) found.set(key, [english]);
      else if (!list.includes(english)) list.push(english);
    }
  }
  return found;
}

const SPACED: Readonly<Partial<Record<Language, string>>> = {
  german: GERMAN,
  french: FRENCH,
  spanish: SPANISH,
  italian: ITALIAN,
  portuguese: PORTUGUESE,
  russian: RUSSIAN,
};

/** The tables of every language with spaces by its name, and of the others together as `paired`. */
export function meaningTables(): ReadonlyMap<string, Meanings> {
  const tables = Object.entries(SPACED).map(([name, text]) => {
    const language = name as Language;
    const keysOf = (word: string) => [foldedWord(word), stemIn(language, word)];
    return [name, meaningsIn(text, keysOf)] as const;
  });
  const paired = meaningsIn([CHINESE, JAPANESE, KOREAN].join('; '), (word) => [word]);
  return new Map([...tables, ['paired', paired]]);
}
