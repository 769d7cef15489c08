import { openDictionary } from './dictionary.ts';
import { openDocumentStore } from './documentStore.ts';
import { expansionsOf, type Terms } from './expansions.ts';
import type { FindRequest, FoundPage, IndexRow } from './found.ts';
import { openLists, type Lists } from './lists.ts';
import { documentsOf, ideaOf, KINDS, type Idea, type Kind, type Term } from './plan.ts';
import { parseQuery } from './query.ts';
import { best } from './select.ts';
import { openTally } from './tally.ts';
import { eachTerm } from './terms.ts';

/**
 * The documents of a registry, searched whole: every document that has a word of a query is added
 * up and ranked, so nothing that fits is missed, however common its words are. Kept in typed arrays.
 * It holds what `take` gave it, whatever the order of what is given.
 */
export interface SearchIndex {
  /** Documents that it has. */
  readonly documents: number;
  take(rows: readonly IndexRow[]): void;
  find(request: FindRequest): FoundPage;
  /** Of its arrays; words and ids, which are kept as texts, take as much again. */
  bytes(): number;
}

/** A posting: the document above, the nine bits that it says of the word below. */
export const SAID_BITS = 9;
const SAID = 1 << SAID_BITS;
/** Documents that a posting can name. */
const DOCUMENTS_MAX = 2 ** (32 - SAID_BITS);

export function openIndex(): SearchIndex {
  const documents = openDocumentStore();
  const dictionary = openDictionary();
  /** By term and kind: its postings. */
  const postings = openLists();
  /** By document: the lists that it stands in. */
  const own: Lists = openLists();
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
  const countUp = (ideas: readonly Idea[], name: Term | undefined, kinds: readonly Kind[]): void => {
    tally.begin(documents.end);
    const places = kinds.map((kind) => KINDS.indexOf(kind));
    for (const kind of places) {
      if (name !== undefined) tally.name(postings.of(listOf(name.id, kind)));
    }
    for (const { words } of ideas) {
      tally.nextIdea();
      for (const { term, score, isAsked } of words) {
        for (const kind of places) tally.word(postings.of(listOf(term.id, kind)), score, isAsked);
      }
    }
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
      const named = query.name === undefined ? undefined : terms.named(query.name);
      const isName = named !== undefined && documentsOf(named, kinds) > 0;
      countUp(ideas, isName ? named : undefined, kinds);
      const whole = (request.whole ?? []).flatMap((ref) => documents.numberOf(0, ref, 0) ?? []);
      return best(tally, documents, { request, ideas, whole });
    },
    bytes: () => postings.bytes() + own.bytes() + documents.bytes() + tally.bytes(),
  };
}
