import { openDictionary } from './dictionary.ts';
import { openDocumentStore } from './documentStore.ts';
import { expansionsOf, type Terms } from './expansions.ts';
import type { FindRequest, Found, IndexRow } from './found.ts';
import { openLists } from './lists.ts';
import { ideaOf, KINDS, type Idea, type Term } from './plan.ts';
import { parseQuery } from './query.ts';
import { best, leastStep, stepReached, type Race } from './select.ts';
import { openTally, type TallyWord } from './tally.ts';
import { eachTerm } from './terms.ts';
import { WEIGHT_MAX } from './termWeight.ts';

/**
 * The documents of a registry, searched whole: every document that has a word of a query is added
 * up and ranked, so nothing that fits is missed, however common its words are. Kept in typed arrays.
 * It holds what `take` gave it, whatever the order of what is given.
 */
export interface SearchIndex {
  /** Documents that it has. */
  readonly documents: number;
  take(rows: readonly IndexRow[]): void;
  find(request: FindRequest): readonly Found[];
  /** Of its arrays; words and ids, which are kept as texts, take as much again. */
  bytes(): number;
}

/** The postings of an idea. */
interface Reading {
  /** By word and kind. */
  readonly words: readonly (readonly TallyWord[])[];
  readonly length: number;
  readonly most: number;
}

/** A posting: the document above, the nine bits that it says of the word below. */
const SAID_BITS = 9;
const SAID = 1 << SAID_BITS;
/** Documents that a posting can name. */
const DOCUMENTS_MAX = 2 ** (32 - SAID_BITS);

export function openIndex(): SearchIndex {
  const documents = openDocumentStore();
  const dictionary = openDictionary();
  /** By term and kind: its postings. */
  const postings = openLists();
  /** By document: the lists that it stands in. */
  const own = openLists();
  const counts = KINDS.map(() => 0);
  const tally = openTally();

  const listOf = (term: number, kind: number): number => term * KINDS.length + kind;
  const add = (document: number, kind: number, text: string): void => {
    if (document >= DOCUMENTS_MAX) throw new RangeError('the index is full');
    while (document >= ownLists) ownLists = own.open() + 1;
    eachTerm(text, (word, said) => {
      const before = dictionary.size;
      const term = dictionary.add(word);
      if (term === before) for (const _ of KINDS) postings.open();
      postings.put(listOf(term, kind), document * SAID + said);
      own.put(document, listOf(term, kind));
    });
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  let ownLists = 0;
  const empty = (document: number, kind: number): void => {
    for (const list of own.of(document)) {
      postings.drop(list, document * SAID, (document + 1) * SAID);
    }
    own.clear(document);
    counts[kind] = (counts[kind] ?? 0) - 1;
  };
  const takeRow = (row: IndexRow): void => {
    const [kind, ref, part, digest, text] = row;
    if (kind === 0) documents.setStanding(ref, row);
    const stamp = Number.parseInt(digest, 16);
    const known = documents.numberOf(kind, ref, part);
    if (known !== undefined) {
      if (text !== '' && documents.columns.digest[known] === stamp) return;
      empty(known, kind);
      if (text === '') documents.remove(known);
    }
    if (text === '') return;
    const document = known ?? documents.add(kind, ref, part);
    documents.columns.digest[document] = stamp;
    add(document, kind, text);
  };

  const termOf = (id: number): Term => ({
    id,
    term: dictionary.term(id),
    documents: KINDS.map((_, kind) => postings.length(listOf(id, kind))),
  });
  const terms: Terms = {
    named(word) {
      const id = dictionary.idOf(word);
      return id === undefined ? undefined : termOf(id);
    },
    beginningWith: (beginning) => dictionary.beginningWith(beginning).map(termOf),
    withForm: (forms) => dictionary.withForm(forms).map(termOf),
  };
  /** The words of an idea in all asked kinds, and the most that they give. */
  const readingOf = ({ score, words }: Idea, kinds: readonly number[]): Reading => {
    const read = words.map(({ term, score: own, isAsked }): readonly TallyWord[] =>
      kinds.map((kind) => ({ postings: postings.of(listOf(term.id, kind)), score: own, isAsked })),
    );
    const length = read.flat().reduce((sum, { postings: { length } }) => sum + length, 0);
    return { words: read, length, most: score * WEIGHT_MAX };
  };
  return {
    get documents() {
      return counts.reduce((sum, count) => sum + count, 0);
    },
    take(rows) {
      for (const row of rows) takeRow(row);
    },
    find(request) {
      const { text, kinds } = request;
      const query = parseQuery(text);
      const total = kinds.reduce((sum, kind) => sum + (counts[KINDS.indexOf(kind)] ?? 0), 0);
      const ideas = query.queryTerms.map((each) =>
        ideaOf(expansionsOf(terms, each, kinds), kinds, total),
      );
      const places = kinds.map((kind) => KINDS.indexOf(kind));
      const about = {
        gainMax: ideas.reduce((sum, { score }) => sum + score, 0),
        queryTerms: ideas.length,
      };
      const whole = (request.whole ?? []).flatMap((ref) => documents.numberOf(0, ref, 0) ?? []);
      tally.begin(documents.end);
      const named = query.name === undefined ? undefined : dictionary.idOf(query.name);
      for (const kind of named === undefined ? [] : places) {
        tally.name(postings.of(listOf(named ?? 0, kind)));
      }
      const race = { tally, documents, request, about, whole };
      addUp(race, ideas.map((idea) => readingOf(idea, places)));
      return best(race);
    },
    bytes: () => postings.bytes() + own.bytes() + documents.bytes() + tally.bytes(),
  };
}

/** Fewer postings than that are added without asking whether they are needed. */
const FEW = 2_000;

/**
 * Ideas with few postings first; once those that are left cannot by themselves bring a document
 * among the first, they are only added to what was met before.
 */
function addUp(race: Race, readings: readonly Reading[]): void {
  const inOrder = [...readings].sort((a, b) => a.length - b.length);
  let left = inOrder.reduce((sum, { most }) => sum + most, 0);
  let onlyMet = false;
  for (const [nth, { words, length, most }] of inOrder.entries()) {
    if (!onlyMet && nth > 0 && length > FEW) {
      onlyMet = stepReached(left, inOrder.length - nth, race.about) < leastStep(race);
    }
    if (words.length === 1) for (const word of words.flat()) race.tally.add([word], onlyMet);
    else race.tally.add(words.flat(), onlyMet);
    left -= most;
  }
}
