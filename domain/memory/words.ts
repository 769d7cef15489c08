import { isStopWord, wordsOf } from '../analysis/words.ts';

/**
 * The words of notes, by the analyser of both searches. A word is stored under its stem with its
 * whole form, which begins with the stem: the stem finds other forms, the form finds extensions.
 */
export interface NoteWord {
  readonly stem: string;
  readonly whole: string;
  readonly count: number;
}

/** No note of 8 KB has more. */
const WORDS_MAX = 8_192;
/** Distinct words that one search looks for; later ones of its text are ignored. */
const ASKED_MAX = 32;

export interface NoteWords {
  readonly words: readonly NoteWord[];
  readonly length: number;
}

export function noteWords(content: string): NoteWords {
  const found = wordsOf(content, WORDS_MAX);
  const words = new Map<string, { stem: string; whole: string; count: number }>();
  const add = (stem: string, whole: string): void => {
    const entry = words.get(whole) ?? { stem, whole, count: 0 };
    entry.count += 1;
    words.set(whole, entry);
  };
  for (const { stem, whole, parts } of found) {
    add(stem, whole);
    for (const part of parts) if (part !== whole) add(part, part);
  }
  return { words: [...words.values()], length: found.length };
}

/** A word that is searched for: notes with any form of it, those with this very form first. */
export interface AskedWord {
  readonly stem: string;
  readonly whole: string;
}

/**
 * The words of a search, stop words only if it has no others. An identifier is looked for whole and
 * by its parts: `createIssue` also finds `create issue`. Empty without a word.
 */
export function askedWords(text: string): readonly AskedWord[] {
  const all = wordsOf(text, text.length);
  const telling = all.filter(({ whole }) => !isStopWord(whole));
  const asked = new Map<string, AskedWord>();
  for (const { stem, whole, parts } of telling.length > 0 ? telling : all) {
    const forms = [{ stem, whole }, ...parts.map((part) => ({ stem: part, whole: part }))];
    for (const form of forms) if (!asked.has(form.stem)) asked.set(form.stem, form);
  }
  return [...asked.values()].slice(0, ASKED_MAX);
}

const BEGINNING_LENGTH_MIN = 3;

/** Whether a word that no note has is looked for as the beginning of others. */
export function mayBeBeginning({ whole }: AskedWord, isLast: boolean): boolean {
  // The last word may still be being typed; a short one elsewhere would begin too many.
  return isLast || whole.length >= BEGINNING_LENGTH_MIN;
}

/** The stems under which an extension of a word may be stored: all beginnings of the word. */
export function beginningsOf(word: string): readonly string[] {
  const letters = [...word];
  return letters.map((_, n) => letters.slice(0, n + 1).join(''));
}

/** The worth of a hit in parts of 100: the very word, another form of it, an extension. */
export const SAME_WORTH = 100;
export const OTHER_FORM_WORTH = 85;
export const EXTENSION_WORTH = 70;

/** Entries of the index that the words of one search may read together. */
export const ENTRIES_MAX = 20_000;

export interface CountedWord {
  readonly n: number;
  readonly notes: number;
  /** Entries of the index, more than notes where a note has several forms of the word. */
  readonly entries: number;
}

/**
 * The rarest words first, while they read at most `ENTRIES_MAX` entries, and at least one. A word
 * that is left out is in so many notes that it hardly changes their order.
 */
export function affordable<Word extends CountedWord>(counted: readonly Word[]): readonly Word[] {
  const rarestFirst = [...counted].sort((a, b) => a.entries - b.entries || a.n - b.n);
  let entries = 0;
  return rarestFirst.filter((word, place) => {
    entries += word.entries;
    return place === 0 || entries <= ENTRIES_MAX;
  });
}

const SCALE = 1_000_000;

/** Returns BM25's inverse document frequency in whole millionths, alike in both databases. */
export function rarity(notes: number, having: number): number {
  return Math.max(1, Math.round(SCALE * Math.log(1 + (notes - having + 0.5) / (having + 0.5))));
}
