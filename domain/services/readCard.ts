import { injectionSignals } from '../registry/injection.ts';
import type { SignalKind } from '../registry/listing.ts';
import { cut } from '../text.ts';

/**
 * Where the phrases of a text stand that address its reader, and the text without them. What counts
 * as such a phrase is the crawler's detector alone; here it is only asked again and again, over
 * ever smaller parts, until each phrase has its place.
 */
export interface FoundPhrase {
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
const TURNS_MAX = 20;
/** Sentences that are looked at together, since some phrases run across a full stop. */
const TOGETHER_MAX = 3;
/** Letters between two rests, and of one sentence. */
const BLOCK_LENGTH = 1_024;
const SENTENCE_LENGTH_MAX = 1_024;
/** Letters that the finished text is looked through by. */
const PIECE = 4_096;
const PIECE_OVERLAP = 1_024;

/** Reads a text in steps of a few milliseconds; who drives it lets others have their turn between. */
export function* readCardText(text: string): Generator<undefined, CardText> {
  const phrases: FoundPhrase[] = [];
  const gone: Place[] = [];
  const sentences = sentencesOf(text);
  for (let from = 0; from < sentences.length;) {
    let to = from;
    const begin = sentences[from]?.start ?? 0;
    while (to < sentences.length && (sentences[to]?.end ?? 0) - begin <= BLOCK_LENGTH) to += 1;
    to = Math.max(to, from + 1);
    const reach = sentences[Math.min(to + TOGETHER_MAX - 2, sentences.length - 1)]?.end;
    if (kindsIn(text.slice(begin, reach)).length > 0) {
      yield;
      readBlock(text, sentences, { from, to }, { phrases, gone });
    }
    from = to;
    yield;
  }
  const rewritten = without(text, gone);
  const left = yield* kindsThroughout(rewritten);
  if (left.length === 0) return { phrases: inOrder(phrases), rewritten };
  // Something that only the whole of it says: then the whole of it goes.
  const whole = { start: 0, end: text.length };
  const more = left.map((kind) => ({ kind, text: cut(text, PHRASE_LENGTH_MAX), ...whole }));
  return { phrases: inOrder([...phrases, ...more]), rewritten: '' };
}

interface Findings {
  readonly phrases: FoundPhrase[];
  readonly gone: Place[];
}

function readBlock(
  text: string,
  sentences: readonly Place[],
  { from, to }: { readonly from: number; readonly to: number },
  { phrases, gone }: Findings,
): void {
  for (let together = 1; together <= TOGETHER_MAX; together += 1) {
    for (let at = from; at < to && at + together <= sentences.length; at += 1) {
      const [first, last] = [sentences[at], sentences[at + together - 1]];
      if (first === undefined || last === undefined) continue;
      const place = { start: first.start, end: last.end };
      if (gone.some((each) => overlap(each, place)) || phrases.length >= PHRASES_MAX) continue;
      const found = phrasesIn(text, place);
      if (found.length === 0) continue;
      phrases.push(...found);
      gone.push(place);
    }
  }
}

const PHRASE_LENGTH_MAX = 2_000;

/** The phrases within one part, each where it stands; the part itself where that cannot be told. */
function phrasesIn(text: string, { start, end }: Place): readonly FoundPhrase[] {
  let rest = text.slice(start, end);
  const found: FoundPhrase[] = [];
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const signals = injectionSignals([{ path: 'text', text: rest }]);
    if (signals.length === 0) return found;
    for (const { kind, text: phrase } of signals) {
      const place = placeOf(rest, phrase) ?? { start: 0, end: rest.length };
      const said = text.slice(start + place.start, start + place.end);
      found.push({
        kind,
        text: cut(said, PHRASE_LENGTH_MAX),
        start: start + place.start,
        end: start + place.end,
      });
      // Full stops keep every other place where it is and belong to no phrase.
      const blank = '.'.repeat(place.end - place.start);
      rest = rest.slice(0, place.start) + blank + rest.slice(place.end);
    }
  }
  return found;
}

/** The detector reads blanks as one and shows no hidden characters. */
function placeOf(text: string, phrase: string): Place | undefined {
  const letters = Array.from(phrase).map((letter) =>
    /\s/u.test(letter) ? '[\\s\\p{C}]+' : letter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  );
  if (letters.length === 0) return undefined;
  const match = new RegExp(letters.join('\\p{Cf}*'), 'u').exec(text);
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}

/** The kinds that a long text has, looked for in pieces that overlap by more than a phrase. */
function* kindsThroughout(text: string): Generator<undefined, readonly SignalKind[]> {
  const kinds = new Set<SignalKind>();
  let start = 0;
  for (; start === 0 || start + PIECE_OVERLAP < text.length; start += PIECE - PIECE_OVERLAP) {
    for (const kind of kindsIn(text.slice(start, start + PIECE))) kinds.add(kind);
    yield;
  }
  return [...kinds];
}

function kindsIn(text: string): readonly SignalKind[] {
  return injectionSignals([{ path: 'text', text }]).map(({ kind }) => kind);
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

function without(text: string, places: readonly Place[]): string {
  const sorted = [...places].sort((a, b) => a.start - b.start);
  let result = '';
  let from = 0;
  for (const { start, end } of sorted) {
    result += text.slice(from, start);
    from = end;
  }
  return (result + text.slice(from)).trim();
}

function inOrder(phrases: readonly FoundPhrase[]): readonly FoundPhrase[] {
  return [...phrases].sort((a, b) => a.start - b.start || a.end - b.end);
}

function overlap(a: Place, b: Place): boolean {
  return a.start < b.end && b.start < a.end;
}
