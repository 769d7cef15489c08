import { wordsOf } from '../search/words.ts';

/**
 * The words of notes, by the tokenizer of the registry's index. Each word of a note stands under
 * its stem with its whole form beside it: another form of the word is found by the stem, its
 * beginning by the form. A stem is always a beginning of its whole form, which the search relies
 * on.
 *
 * A change of the tokenizer has to make the index of the notes again, because the entries of an
 * overwritten note are found by taking its former content apart.
 */
export interface NoteWord {
  readonly stem: string;
  readonly whole: string;
  /** How often it stands there. */
  readonly count: number;
}

/** No note of 8 KB has more. */
const WORDS_MAX = 8_192;
/** Of a search text of 512 characters; the words after them are not asked for. */
const ASKED_MAX = 64;

export interface NoteWords {
  readonly words: readonly NoteWord[];
  /** Its length in words. */
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

/** A word that is searched for: any form of it, and, of the last one, whatever begins with it. */
export interface AskedWord {
  readonly stem: string;
  readonly begins?: string;
}

export function askedWords(text: string): readonly AskedWord[] {
  const words = wordsOf(text, ASKED_MAX);
  const asked = new Map<string, AskedWord>();
  for (const [n, { stem, whole, parts }] of words.entries()) {
    // An identifier is asked for by its parts, so that `createIssue` meets `create issue`.
    for (const part of parts.length > 0 ? parts : [stem]) {
      if (!asked.has(part)) asked.set(part, { stem: part });
    }
    if (n === words.length - 1) {
      const last = parts.at(-1);
      asked.set(last ?? stem, { stem: last ?? stem, begins: last ?? whole });
    }
  }
  return [...asked.values()];
}

/** The stems that a longer beginning may stand under: all its own beginnings. */
export function beginningsOf(begins: string): readonly string[] {
  const letters = [...begins];
  return letters.map((_, n) => letters.slice(0, n + 1).join(''));
}

const SCALE = 1_000_000;

/**
 * How telling a word is among so many notes, in millionths (BM25's inverse document frequency):
 * whole numbers, so that both databases add up the same.
 */
export function rarity(notes: number, having: number): number {
  return Math.max(1, Math.round(SCALE * Math.log(1 + (notes - having + 0.5) / (having + 0.5))));
}
