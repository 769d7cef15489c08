import type { SignalKind } from '../registry/listing.ts';
import { decodedRuns } from './encoded.ts';
import { matchesIn, type Found } from './match.ts';
import { MARKS, OTHER_SCRIPTS, SCRIPT_MARKS } from './marks.ts';
import { tokensOf } from './tokens.ts';

/**
 * Phrases of a text that address the agent who reads it (interface, provenance; choices
 * registry.signals). The time is linear in the length of the text: one pass with a bounded number
 * of steps for each word, and expressions whose every repetition is bounded.
 */
export interface AddressingPhrase {
  readonly kind: SignalKind;
  /** In UTF-16 units of the text, as JavaScript counts. */
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Characters that only a model reads; flags of countries, made of tags, are seen. */
const UNSEEN = /[\u202a-\u202e\u2066-\u2069]|[\u{e0001}-\u{e007f}]{1,400}/gu;
const FLAG = '\u{1f3f4}';
/** Invisible characters inside of a word, which split it for a filter and not for a model. */
const SPLIT = /\p{L}[\u200b\u2060-\u2064]{1,20}\p{L}/gu;
const SPLITS_MIN = 2;
const THAI_AND_KHMER = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/;

/** Words of orders in ROT13, a code that models read as they read the letters themselves. */
const ROTATED = /\b(?:vtaber|qvfertneq|bireevqr|vafgehpgvbaf?|flfgrz cebzcg)\b/i;

function rotated(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** The phrases in the order of the text; those of one kind do not overlap. */
export function addressingPhrases(text: string): readonly AddressingPhrase[] {
  const found = [...plainPhrases(text), ...unseenIn(text)];
  if (ROTATED.test(text)) found.push(...plainPhrases(rotated(text)));
  for (const { start, end, decoded } of decodedRuns(text)) {
    for (const { kind } of plainPhrases(decoded)) found.push({ kind, start, end });
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const ends = new Map<SignalKind, number>();
  return found.flatMap(({ kind, start, end }): readonly AddressingPhrase[] => {
    if (start < (ends.get(kind) ?? 0)) return [];
    ends.set(kind, end);
    return [{ kind, offset: start, length: end - start, text: text.slice(start, end) }];
  });
}

function plainPhrases(text: string): readonly Found[] {
  const marks = OTHER_SCRIPTS.test(text) ? [...MARKS, ...SCRIPT_MARKS] : MARKS;
  const marked = marks.flatMap(([kind, mark]) => placesOf(kind, mark, text));
  return [...matchesIn(tokensOf(text)), ...marked];
}

function placesOf(kind: SignalKind, mark: RegExp, text: string): readonly Found[] {
  return Array.from(text.matchAll(mark), ({ 0: phrase, index }) => {
    return { kind, start: index, end: index + phrase.length };
  });
}

function unseenIn(text: string): readonly Found[] {
  const unseen = placesOf('hidden-text', UNSEEN, text).filter(
    ({ start }) => text.slice(start - FLAG.length, start) !== FLAG,
  );
  if (THAI_AND_KHMER.test(text)) return unseen;
  const split = placesOf('hidden-text', SPLIT, text);
  return split.length < SPLITS_MIN ? unseen : [...unseen, ...split];
}
