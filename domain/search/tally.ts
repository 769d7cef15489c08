import { SAID, SAID_BITS } from './posting.ts';
import { isInName, weightOf } from './termWeight.ts';

/**
 * What each document gains by one query, added up in plain arrays: of one idea the most that any of
 * its words gives. A query may meet every document, so nothing is made for any of them.
 */
export interface Tally {
  begin(documents: number): void;
  /** Postings of the whole name. */
  name(postings: Uint32Array): void;
  /** The words of one more idea; `onlyMet` leaves out what was not met before. */
  add(words: readonly TallyWord[], onlyMet: boolean): void;
  /** A document that is ranked whatever it has. */
  meet(document: number): void;
  /** The documents that were met, each once. */
  met(): Uint32Array;
  readonly columns: TallyColumns;
  bytes(): number;
}

export interface TallyWord {
  readonly postings: Uint32Array;
  readonly score: number;
  /** It is the word that was asked for. */
  readonly isAsked: boolean;
}

/** By document; only what was met since `begin` counts. */
export interface TallyColumns {
  score: Int32Array;
  /** Ideas that it has in the lowest four bits, those in its name in the next. */
  ideas: Uint8Array;
  named: Uint8Array;
}

export const IDEAS_MASK = 15;
export const IN_NAME_SHIFT = 4;
const ONE_IN_NAME = 1 << IN_NAME_SHIFT;
const SAID_MASK = SAID - 1;
/** Looking a document up in a list costs as much as so many of its postings. */
const LOOK_UP = 16;

export function openTally(): Tally {
  const columns: TallyColumns = {
    score: new Int32Array(0),
    ideas: new Uint8Array(0),
    named: new Uint8Array(0),
  };
  /** By which query a document was met last, and by which idea; these count up. */
  let metBy = new Uint32Array(0);
  let ideaBy = new Uint32Array(0);
  /** What the running idea gives: twice the gain, and one when it is in the name. */
  let gained = new Int32Array(0);
  let met = new Uint32Array(0);
  let ofIdea = new Uint32Array(0);
  let [count, query, idea] = [0, 0, 0];

  const first = (document: number): void => {
    metBy[document] = query;
    met[count] = document;
    count += 1;
    columns.score[document] = 0;
    columns.ideas[document] = 0;
    columns.named[document] = 0;
  };
  const addOne = ({ postings, score, isAsked }: TallyWord, onlyMet: boolean): void => {
    const { score: scores, ideas } = columns;
    for (let at = 0; at < postings.length; at += 1) {
      const posting = postings[at] ?? 0;
      const document = posting >>> SAID_BITS;
      if (metBy[document] !== query) {
        if (onlyMet) continue;
        first(document);
      }
      const said = posting & SAID_MASK;
      scores[document] = (scores[document] ?? 0) + score * weightOf(said);
      ideas[document] = (ideas[document] ?? 0) + (isAsked && isInName(said) ? 1 + ONE_IN_NAME : 1);
    }
  };
  /** The same for few documents and many postings. */
  const lookUp = ({ postings, score, isAsked }: TallyWord): void => {
    const { score: scores, ideas } = columns;
    for (let at = 0; at < count; at += 1) {
      const document = met[at] ?? 0;
      const posting = postings[placeOf(postings, (document << SAID_BITS) >>> 0)] ?? 0;
      if (posting >>> SAID_BITS !== document || posting === 0) continue;
      const said = posting & SAID_MASK;
      scores[document] = (scores[document] ?? 0) + score * weightOf(said);
      ideas[document] = (ideas[document] ?? 0) + (isAsked && isInName(said) ? 1 + ONE_IN_NAME : 1);
    }
  };
  const addSeveral = (words: readonly TallyWord[], onlyMet: boolean): void => {
    idea += 1;
    let having = 0;
    for (const { postings, score, isAsked } of words) {
      for (let at = 0; at < postings.length; at += 1) {
        const posting = postings[at] ?? 0;
        const document = posting >>> SAID_BITS;
        if (onlyMet && metBy[document] !== query) continue;
        const said = posting & SAID_MASK;
        const gain = 2 * score * weightOf(said);
        const inName = isAsked && isInName(said) ? 1 : 0;
        if (ideaBy[document] !== idea) {
          ideaBy[document] = idea;
          ofIdea[having++] = document;
          gained[document] = gain + inName;
        } else {
          const before = gained[document] ?? 0;
          gained[document] = Math.max(gain, before & ~1) + ((before & 1) | inName);
        }
      }
    }
    const { score: scores, ideas } = columns;
    for (let at = 0; at < having; at += 1) {
      const document = ofIdea[at] ?? 0;
      if (metBy[document] !== query) first(document);
      const gain = gained[document] ?? 0;
      scores[document] = (scores[document] ?? 0) + (gain >> 1);
      ideas[document] = (ideas[document] ?? 0) + ((gain & 1) === 1 ? 1 + ONE_IN_NAME : 1);
    }
  };
  return {
    columns,
    begin(documents) {
      count = 0;
      query += 1;
      if (documents <= metBy.length) return;
      const size = Math.max(2 * metBy.length, documents);
      columns.score = new Int32Array(size);
      columns.ideas = new Uint8Array(size);
      columns.named = new Uint8Array(size);
      metBy = new Uint32Array(size);
      ideaBy = new Uint32Array(size);
      gained = new Int32Array(size);
      met = new Uint32Array(size);
      ofIdea = new Uint32Array(size);
    },
    name(postings) {
      for (const posting of postings) {
        const document = posting >>> SAID_BITS;
        if (metBy[document] !== query) first(document);
        columns.named[document] = weightOf(posting & SAID_MASK);
      }
    },
    add(words, onlyMet) {
      const [word] = words;
      if (words.length > 1) addSeveral(words, onlyMet);
      else if (word === undefined) return;
      else if (onlyMet && count * LOOK_UP < word.postings.length) lookUp(word);
      else addOne(word, onlyMet);
    },
    meet(document) {
      if (metBy[document] !== query) first(document);
    },
    met: () => met.subarray(0, count),
    bytes: () => metBy.length * (4 * 6 + 2),
  };
}

/** The place of the first posting that is not less. */
function placeOf(postings: Uint32Array, least: number): number {
  let [from, to] = [0, postings.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((postings[middle] ?? 0) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}
