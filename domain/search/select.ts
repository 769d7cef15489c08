import type { DocumentStore } from './documentStore.ts';
import type { FindRequest, Found } from './found.ts';
import { openHeap } from './heap.ts';
import { KINDS } from './plan.ts';
import { byKarma, byScore, SCORE_STEP, scoreOf, type Ranked } from './rank.ts';

/** The first of an order among all documents that it is offered. */
export interface Selection {
  /** Whether a document that fits no better than that may be among the first. */
  mayEnter(document: number, fitMax: number): boolean;
  /** A document and how well it fits, 0 to 1000; each document once. */
  offer(document: number, fit: number): void;
  /** Whether nothing that fits no better than that can be among the first any more. */
  isDecided(fitMax: number): boolean;
  first(): readonly Found[];
}

/** A found document and all that its place is decided by. */
interface Candidate extends Ranked {
  readonly document: number;
}

/** Opens a selection; documents that fit less than `fitMin` are left out. */
export function openSelection(
  documents: DocumentStore,
  request: FindRequest,
  fitMin: number,
): Selection {
  const { owner, karma, reach } = documents.columns;
  const { order, count, answeringOnly = false } = request;
  const byRank = order === 'karma' ? byKarma : byScore;
  const inOrder = orderOf(byRank, documents);
  const heap = openHeap<Candidate>(count, inOrder);
  /** The fit that it needs, and the last that is kept when there is no more room. */
  let least = fitMin;
  let last: Candidate | undefined;
  /** A document that fits so well is before it, for every standing. */
  let certain = order === 'karma' ? Number.POSITIVE_INFINITY : 0;
  const bound = { score: 0, karma: 0, reach: 0 };
  return {
    mayEnter(document, fitMax) {
      // Most are asked about while everything that fits so well may still enter.
      if (last === undefined || fitMax >= certain) return true;
      const by = owner[document] ?? 0;
      bound.score = fitMax;
      bound.karma = karma[by] ?? 0;
      bound.reach = reach[by] ?? 0;
      return byRank(bound, last) <= 0;
    },
    offer(document, fit) {
      if (fit < least) return;
      const isAnswering = answersIn(documents, document);
      if (answeringOnly && !isAnswering) return;
      const score = order === 'karma' ? fit : scoreOf(fit, isAnswering);
      if (score < least) return;
      const by = owner[document] ?? 0;
      heap.offer({ document, score, karma: karma[by] ?? 0, reach: reach[by] ?? 0 });
      last = heap.last();
      // In a list the karma may be greater however little it fits.
      if (order === 'karma' || last === undefined) return;
      least = last.score - (last.score % SCORE_STEP);
      certain = least + SCORE_STEP;
    },
    isDecided: (fitMax) => fitMax < least,
    first: () =>
      heap
        .all()
        .sort(inOrder)
        .map((each) => foundOf(each, documents)),
  };
}

export interface Best extends Omit<Selection, 'first'> {
  fit(): number;
}

export function openBest(
  documents: DocumentStore,
  { answeringOnly = false }: Pick<FindRequest, 'answeringOnly'>,
): Best {
  let best = 0;
  return {
    mayEnter: (_document, fitMax) => fitMax > best,
    offer(document, fit) {
      if (!answeringOnly || answersIn(documents, document)) best = Math.max(best, fit);
    },
    isDecided: (fitMax) => fitMax <= best,
    fit: () => best,
  };
}

function answersIn({ columns: { owner, answers } }: DocumentStore, document: number): boolean {
  return answers[owner[document] ?? 0] === 1;
}

function orderOf(
  byRank: (a: Ranked, b: Ranked) => number,
  documents: DocumentStore,
): (a: Candidate, b: Candidate) => number {
  const { kind, part } = documents.columns;
  return (a, b) =>
    byRank(a, b) ||
    documents.compareRefs(a.document, b.document) ||
    (kind[a.document] ?? 0) - (kind[b.document] ?? 0) ||
    (part[a.document] ?? 0) - (part[b.document] ?? 0);
}

function foundOf({ document, score }: Candidate, documents: DocumentStore): Found {
  const { kind, part } = documents.columns;
  return {
    kind: KINDS[kind[document] ?? 0] ?? 'agent',
    ref: documents.ref(document),
    part: part[document] ?? 0,
    score,
  };
}
