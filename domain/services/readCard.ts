import { addressingPhrases } from '../injection/detect.ts';
import type { SignalKind } from '../registry/listing.ts';
import { cut } from '../text.ts';

/**
 * Where the phrases of a text stand that address its reader, and the text without the sentences that
 * hold one. What counts as such a phrase is the crawler's detector alone.
 */
interface FoundPhrase {
  readonly kind: SignalKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface CardText {
  readonly phrases: readonly FoundPhrase[];
  readonly rewritten: string;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

const PHRASES_MAX = 200;
const PHRASE_LENGTH_MAX = 2_000;
const SENTENCE_LENGTH_MAX = 1_024;
/** Letters that are looked through between two rests; no phrase is longer than the overlap. */
const PIECE = 4_096;
const PIECE_OVERLAP = 1_024;

/** Reads in steps of a few milliseconds; who drives it lets others have their turn between. */
export function* readCardText(text: string): Generator<undefined, CardText> {
  const phrases = yield* phrasesIn(text);
  const rewritten = without(text, phrases);
  const left = phrases.length === 0 ? [] : yield* phrasesIn(rewritten);
  if (left.length === 0) return { phrases: phrases.slice(0, PHRASES_MAX), rewritten };
  // Parts that stood apart say something together: then the whole of it goes.
  const whole = { text: cut(text, PHRASE_LENGTH_MAX), start: 0, end: text.length };
  const more = [...new Set(left.map(({ kind }) => kind))].map((kind) => ({ kind, ...whole }));
  return { phrases: [...more, ...phrases].slice(0, PHRASES_MAX), rewritten: '' };
}

function* phrasesIn(text: string): Generator<undefined, readonly FoundPhrase[]> {
  const found: FoundPhrase[] = [];
  const ends = new Map<SignalKind, number>();
  const step = PIECE - PIECE_OVERLAP;
  for (let from = 0; from === 0 || from + PIECE_OVERLAP < text.length; from += step) {
    const isLast = from + PIECE >= text.length;
    for (const { kind, offset, length } of addressingPhrases(text.slice(from, from + PIECE))) {
      const [start, end] = [from + offset, from + offset + length];
      // A card that begins in the overlap is whole in the next piece; what ends there was met before.
      if ((offset >= step && !isLast) || start < (ends.get(kind) ?? 0)) continue;
      ends.set(kind, end);
      found.push({ kind, text: cut(text.slice(start, end), PHRASE_LENGTH_MAX), start, end });
    }
    yield;
  }
  return found;
}

/** Without the sentences that a phrase stands in, or runs through. */
function without(text: string, phrases: readonly Place[]): string {
  let result = '';
  let next = 0;
  let reached = 0;
  for (const { start, end } of sentencesOf(text)) {
    for (; (phrases[next]?.start ?? end) < end; next += 1) {
      reached = Math.max(reached, phrases[next]?.end ?? 0);
    }
    if (reached <= start) result += text.slice(start, end);
  }
  return result.trim();
}

function sentencesOf(text: string): readonly Place[] {
  const places: Place[] = [];
  let start = 0;
  const add = (end: number): void => {
    for (; start < end; start = Math.min(end, start + SENTENCE_LENGTH_MAX)) {
      places.push({ start, end: Math.min(end, start + SENTENCE_LENGTH_MAX) });
    }
  };
  for (const { 0: mark, index } of text.matchAll(/[.!?。！？]+(?=\s|$)\s*|\n+/gu)) {
    add(index + mark.length);
  }
  add(text.length);
  return places;
}
