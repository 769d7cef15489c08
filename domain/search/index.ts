import { openDictionary } from './dictionary.ts';
import { openDocumentStore } from './documentStore.ts';
import { expansionsOf, type Terms } from './expansions.ts';
import type { FindRequest, Found, IndexRow } from './found.ts';
import { openLists } from './lists.ts';
import { ideaOf, KINDS, type TermPlan, type Term } from './plan.ts';
import { DOCUMENTS_MAX, SAID } from './posting.ts';
import { parseQuery } from './query.ts';
import { best, leastStep, stepBy, type Race } from './select.ts';
import { openTally, type TallyWord } from './tally.ts';
import { eachTerm } from './terms.ts';
import { isInName, weightOf } from './termWeight.ts';

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

/** Postings of an idea that are read together. */
interface Reading {
  readonly idea: number;
  /** No document is in two of its lists. */
  readonly isAlone: boolean;
  readonly words: readonly TallyWord[];
  readonly length: number;
  /** What it gives at most. */
  readonly gain: number;
}

const FIRST_LISTS = 1 << 10;
/** Lists of a term: of each kind that of names and that of the rest. */
const LISTS = 2 * KINDS.length;

function listOf(term: number, kind: number, isName: boolean): number {
  return term * LISTS + 2 * kind + (isName ? 1 : 0);
}

function doubled(old: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * old.length);
  larger.set(old);
  return larger;
}

export function openIndex(): SearchIndex {
  const documents = openDocumentStore();
  const dictionary = openDictionary();
  /** By term, kind, and whether it is in the name: its postings. */
  const postings = openLists();
  /** By document: the lists that it stands in. */
  const own = openLists();
  const counts = KINDS.map(() => 0);
  const tally = openTally();

  /** What weighs most in a list, or did. */
  let most = new Uint8Array(FIRST_LISTS);

  let [lists, ownLists] = [0, 0];
  const add = (document: number, kind: number, text: string): void => {
    if (document >= DOCUMENTS_MAX) throw new RangeError('the index is full');
    while (document >= ownLists) ownLists = own.open() + 1;
    eachTerm(text, (word, said) => {
      const before = dictionary.size;
      const term = dictionary.add(word);
      if (term === before) for (let n = 0; n < LISTS; n += 1) lists = postings.open() + 1;
      while (lists > most.length) most = doubled(most);
      const list = listOf(term, kind, isInName(said));
      postings.put(list, document * SAID + said);
      most[list] = Math.max(most[list] ?? 0, weightOf(said));
      own.put(document, list);
    });
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
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
    documents: KINDS.map(
      (_, kind) =>
        postings.length(listOf(id, kind, true)) + postings.length(listOf(id, kind, false)),
    ),
  });
  const terms: Terms = {
    named(word) {
      const id = dictionary.idOf(word);
      return id === undefined ? undefined : termOf(id);
    },
    beginningWith: (beginning) => dictionary.beginningWith(beginning).map(termOf),
    withForm: (forms) => dictionary.withForm(forms).map(termOf),
  };
  /**
   * The postings of an idea in all asked kinds; of one that has a single word those of names by
   * themselves, because they are few and weigh much.
   */
  const readingsOf = (
    idea: TermPlan,
    kinds: readonly number[],
    nth: number,
  ): readonly Reading[] => {
    const parts = idea.words.length === 1 ? [[true], [false]] : [[true, false]];
    return parts.map((names) => {
      const words: TallyWord[] = [];
      let [length, gain] = [0, 0];
      for (const { term, score, isAsked } of idea.words) {
        for (const list of kinds.flatMap((kind) => names.map((is) => listOf(term.id, kind, is)))) {
          const found = postings.of(list);
          if (found.length === 0) continue;
          words.push({ postings: found, score, isAsked });
          length += found.length;
          gain = Math.max(gain, score * (most[list] ?? 0));
        }
      }
      return { idea: nth, isAlone: idea.words.length === 1, words, length, gain };
    });
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
        tally.name(postings.of(listOf(named ?? 0, kind, false)));
      }
      const race = { tally, documents, request, about, whole };
      addUp(
        race,
        ideas.flatMap((idea, nth) => readingsOf(idea, places, nth)),
      );
      return best(race);
    },
    bytes: () => postings.bytes() + most.length + own.bytes() + documents.bytes() + tally.bytes(),
  };
}

/** Fewer postings than that are added without asking whether they are needed. */
const FEW = 2_000;

/**
 * Few postings first; once those that are left cannot by themselves bring a document among the
 * first, they are only added to what was met before.
 */
function addUp(race: Race, readings: readonly Reading[]): void {
  const left = [...readings].sort((a, b) => a.length - b.length);
  let onlyMet = false;
  for (let next = left[0]; next !== undefined; next = left[0]) {
    if (!onlyMet && next.length > FEW) onlyMet = stepReached(race, left) < leastStep(race);
    if (next.isAlone) for (const word of next.words) race.tally.add([word], onlyMet);
    else race.tally.add(next.words, onlyMet);
    left.shift();
  }
}

/** The highest step of a document that only these postings give something to. */
function stepReached(race: Race, left: readonly Reading[]): number {
  const gains = new Map<number, number>();
  for (const { idea, gain } of left) gains.set(idea, Math.max(gain, gains.get(idea) ?? 0));
  const all = [...gains.values()].filter((gain) => gain > 0);
  return stepBy(
    all.reduce((sum, gain) => sum + gain, 0),
    all.length,
    race.about,
  );
}
