import { isInName, weightOf } from './termWeight.ts';

/**
 * What each document gains by one query, added up in plain arrays: of one idea the most that any of
 * its words gives. A query may meet every document, so nothing is made for any of them.
 */
export interface Tally {
  begin(documents: number): void;
  /** Postings of the whole name. */
  name(postings: Uint32Array): void;
  nextIdea(): void;
  /** Postings of a word of the idea; `isAsked` when it is the one that was asked for. */
  word(postings: Uint32Array, score: number, isAsked: boolean): void;
  /** A document that is ranked whatever it has. */
  meet(document: number): void;
  /** The documents that were met, each once. */
  met(): Uint32Array;
  readonly columns: TallyColumns;
  bytes(): number;
}

/** By document; only what was met since `begin` counts. */
export interface TallyColumns {
  score: Int32Array;
  ideas: Uint8Array;
  inName: Uint8Array;
  named: Uint8Array;
}

const SAID_BITS = 9;
const SAID_MASK = (1 << SAID_BITS) - 1;

export function openTally(): Tally {
  const columns: TallyColumns = {
    score: new Int32Array(0),
    ideas: new Uint8Array(0),
    inName: new Uint8Array(0),
    named: new Uint8Array(0),
  };
  /** What the running idea gave so far; by which query and idea a document was met last. */
  let gained = new Int32Array(0);
  let lastIdea = new Uint8Array(0);
  let nameIdea = new Uint8Array(0);
  let isMet = new Uint8Array(0);
  let met = new Uint32Array(0);
  let count = 0;
  let idea = 0;

  const first = (document: number): void => {
    isMet[document] = 1;
    met[count] = document;
    count += 1;
    columns.score[document] = 0;
    columns.ideas[document] = 0;
    columns.inName[document] = 0;
    columns.named[document] = 0;
    lastIdea[document] = 0;
    nameIdea[document] = 0;
  };
  const addWord = (postings: Uint32Array, score: number, isAsked: boolean): void => {
    const { score: scores, ideas, inName } = columns;
    for (const posting of postings) {
      const document = posting >>> SAID_BITS;
      const said = posting & SAID_MASK;
      if (isMet[document] === 0) first(document);
      const gain = score * weightOf(said);
      if (lastIdea[document] !== idea) {
        lastIdea[document] = idea;
        gained[document] = gain;
        scores[document] = (scores[document] ?? 0) + gain;
        ideas[document] = (ideas[document] ?? 0) + 1;
      } else if (gain > (gained[document] ?? 0)) {
        scores[document] = (scores[document] ?? 0) + gain - (gained[document] ?? 0);
        gained[document] = gain;
      }
      if (isAsked && isInName(said) && nameIdea[document] !== idea) {
        nameIdea[document] = idea;
        inName[document] = (inName[document] ?? 0) + 1;
      }
    }
  };
  return {
    columns,
    begin(documents) {
      for (let at = 0; at < count; at += 1) isMet[met[at] ?? 0] = 0;
      count = 0;
      idea = 0;
      if (documents <= isMet.length) return;
      const size = Math.max(2 * isMet.length, documents);
      columns.score = new Int32Array(size);
      columns.ideas = new Uint8Array(size);
      columns.inName = new Uint8Array(size);
      columns.named = new Uint8Array(size);
      gained = new Int32Array(size);
      lastIdea = new Uint8Array(size);
      nameIdea = new Uint8Array(size);
      isMet = new Uint8Array(size);
      met = new Uint32Array(size);
    },
    name(postings) {
      for (const posting of postings) {
        const document = posting >>> SAID_BITS;
        if (isMet[document] === 0) first(document);
        columns.named[document] = weightOf(posting & SAID_MASK);
      }
    },
    nextIdea() {
      idea += 1;
    },
    word: addWord,
    meet(document) {
      if (isMet[document] === 0) first(document);
    },
    met: () => met.subarray(0, count),
    bytes: () => isMet.length * (4 * 3 + 6),
  };
}
