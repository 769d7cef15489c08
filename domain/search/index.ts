import { openDictionary, type DictionaryState } from './dictionary.ts';
import { openDocumentStore, type DocumentsState, type DocumentStore } from './documentStore.ts';
import { expansionsOf, type Terms } from './expansions.ts';
import type { FindRequest, Found, IndexRow } from './found.ts';
import { openLists, type ListsState } from './lists.ts';
import { openMatched } from './matched.ts';
import { conceptOf, KINDS, type Term } from './plan.ts';
import { WEIGHT_BITS, WEIGHT_MASK, TERMS_MAX } from './posting.ts';
import { parseQuery } from './query.ts';
import { FIT_SHARE_MIN } from './rank.ts';
import { raised, RELEVANCE_MAX, relevanceOf } from './score.ts';
import { openScorer } from './scorer.ts';
import { conceptLists, seek } from './seek.ts';
import { openBest, openSelection, type Selection } from './select.ts';
import { eachTerm } from './terms.ts';
import { openTiers, type Tier, type TiersState } from './tiers.ts';

/**
 * The documents of a registry, searched whole: the first hits are those that scoring every document
 * would find first. Its content does not depend on the order in which `take` gets rows.
 */
export interface SearchIndex {
  readonly documents: number;
  take(rows: readonly IndexRow[]): void;
  find(request: FindRequest): readonly Found[];
  /** Returns the arrays that `openIndex` continues from, which the next `take` changes. */
  state(): IndexState;
}

export interface IndexState {
  readonly documents: DocumentsState;
  readonly dictionary: DictionaryState;
  readonly tiers: TiersState;
  /** By document its terms, each with what is said of it. */
  readonly own: ListsState;
  readonly ownLists: number;
  readonly counts: number[];
}

/** Raised by every change of what a state contains or means, so that no older one is read. */
export const INDEX_FORM = 1;

export function openIndex(from?: IndexState): SearchIndex {
  const documents = openDocumentStore(from?.documents);
  const dictionary = openDictionary(from?.dictionary);
  const tiers = openTiers(from?.tiers);
  const own = openLists(from?.own);
  const counts = from?.counts ?? KINDS.map(() => 0);
  const scorer = openScorer(own);
  const matched = openMatched();

  let ownLists = from?.ownLists ?? 0;
  const add = (document: number, kind: number, text: string): void => {
    while (document >= ownLists) ownLists = own.open() + 1;
    eachTerm(text, (word, weight) => {
      const term = dictionary.add(word);
      if (term >= TERMS_MAX) throw new RangeError('the index is full');
      tiers.add(term, kind, weight, document);
      own.put(document, ((term << WEIGHT_BITS) | weight) >>> 0);
    });
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  const empty = (document: number, kind: number): void => {
    for (const entry of own.of(document)) {
      tiers.drop(entry >>> WEIGHT_BITS, kind, entry & WEIGHT_MASK, document);
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
    documents: KINDS.map((_, kind) => tiers.documents(id, kind)),
  });
  const terms: Terms = {
    named(word) {
      const id = dictionary.idOf(word);
      return id === undefined ? undefined : termOf(id);
    },
    beginningWith: (beginning) => dictionary.beginningWith(beginning).map(termOf),
    withForm: (forms) => dictionary.withForm(forms).map(termOf),
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
      const places = kinds.map((kind) => KINDS.indexOf(kind));
      const total = places.reduce((sum, place) => sum + (counts[place] ?? 0), 0);
      const concepts = query.queryTerms.map((each) =>
        conceptOf(expansionsOf(terms, each, kinds), kinds, total),
      );
      const name = query.name === undefined ? undefined : dictionary.idOf(query.name);
      const about = {
        gainMax: concepts.reduce((sum, { score }) => sum + score, 0),
        queryTerms: concepts.length,
      };
      scorer.begin(
        concepts.flatMap(({ words }, concept) =>
          words.map(({ term, score, isAsked }) => ({ term: term.id, concept, score, isAsked })),
        ),
        name,
        dictionary.size,
      );
      const tiersOf = (term: number): readonly Tier[] =>
        places.flatMap((place) => tiers.of(term, place));
      const lists = concepts.map(({ words }) =>
        conceptLists(words.map((word) => ({ ...word, tiers: tiersOf(word.term.id) }))),
      );
      const called = name === undefined ? [] : tiersOf(name);
      const whole = (request.whole ?? []).flatMap((ref) => documents.numberOf(0, ref, 0) ?? []);
      const near = nearDocuments(documents, request);
      const seekFor = (into: Omit<Selection, 'first'>): void => {
        matched.begin(documents.end);
        const meet = (document: number, fitMax: number): void => {
          if (!matched.isFirst(document) || !into.mayEnter(document, fitMax)) return;
          into.offer(document, relevanceOf(scorer.hitOf(document), about));
        };
        for (const each of whole) {
          if (matched.isFirst(each)) into.offer(each, RELEVANCE_MAX);
        }
        for (const [each, bonus] of near) {
          const fit = raised(relevanceOf(scorer.hitOf(each), about), bonus);
          if (fit > 0 && matched.isFirst(each)) into.offer(each, fit);
        }
        for (const tier of called) {
          for (const each of tier.documents) meet(each, RELEVANCE_MAX);
        }
        seek(lists, about, { meet, isDecided: (fitMax) => into.isDecided(fitMax) });
      };
      let fitMin = 0;
      if (request.order === 'karma') {
        const best = openBest(documents, request);
        seekFor(best);
        fitMin = Math.ceil((best.fit() * FIT_SHARE_MIN) / 100);
      }
      const selection = openSelection(documents, request, fitMin);
      seekFor(selection);
      return selection.first();
    },
    state: () => ({
      documents: documents.state(),
      dictionary: dictionary.state(),
      tiers: tiers.state(),
      own: own.state(),
      ownLists,
      counts,
    }),
  };
}

/** Tools of a near listing that are looked at. */
const NEAR_TOOLS_MAX = 16;

/** The documents that nearness raises, with what it raises each by. */
function nearDocuments(
  documents: DocumentStore,
  { near = [], kinds }: FindRequest,
): readonly (readonly [document: number, bonus: number])[] {
  const kind = kinds.includes('agent') ? 'agent' : kinds.includes('skill') ? 'skill' : undefined;
  if (kind === undefined) return [];
  return near.flatMap(({ ref, bonus }) =>
    documents
      .numbersOf(KINDS.indexOf(kind), ref, NEAR_TOOLS_MAX)
      .map((document) => [document, bonus] as const),
  );
}
