import { byText } from './dictionary.ts';
import type { DocumentStore } from './documentStore.ts';
import type { FindRequest, Found } from './found.ts';
import { openHeap } from './heap.ts';
import { KINDS } from './plan.ts';
import { byKarma, byScore, FIT_SHARE_MIN, SCORE_STEP, scoreOf, type Ranked } from './rank.ts';
import { RELEVANCE_MAX, relevanceOf, WORDS_NAMED_FROM } from './score.ts';
import { WEIGHT_MAX } from './termWeight.ts';
import { IDEAS_MASK, IN_NAME_SHIFT, type Tally } from './tally.ts';

/** What is ranked, and for whom. */
export interface Race {
  readonly tally: Tally;
  readonly documents: DocumentStore;
  readonly request: FindRequest;
  /** What a document gains at best, and the number of ideas. */
  readonly about: { readonly gainMax: number; readonly queryTerms: number };
  /** Listings that fit wholly. */
  readonly whole: readonly number[];
}

/** A found document and all that its place is decided by. */
interface Candidate extends Ranked {
  readonly document: number;
}

/** The first `count` of the order. */
export function best(race: Race): readonly Found[] {
  const { tally, documents, request, about } = race;
  const { order, count, answeringOnly = false } = request;
  for (const document of race.whole) tally.meet(document);
  const { owner, answers, karma, reach } = documents.columns;
  const { score: gained, ideas, named } = tally.columns;
  const inOrder = orderOf(order, documents);
  const heap = openHeap<Candidate>(count, inOrder);
  const met = tally.met();
  const share = order === 'karma' ? bestFit(race) * FIT_SHARE_MIN : 0;
  let least = Math.floor(share / 100);
  let worth = gainsFor(least, about);
  const allInName = about.queryTerms << IN_NAME_SHIFT;
  for (let at = 0; at < met.length; at += 1) {
    const document = met[at] ?? 0;
    const has = ideas[document] ?? 0;
    const isShort = (gained[document] ?? 0) < (worth[has & IDEAS_MASK] ?? 0);
    // Whatever its name, and whatever else it might be.
    if (isShort && named[document] === 0 && has < allInName && race.whole.length === 0) continue;
    const by = owner[document] ?? 0;
    const isAnswering = answers[by] === 1;
    if (answeringOnly && !isAnswering) continue;
    const fit = fitOf(race, document);
    if (fit * 100 < share) continue;
    const score = order === 'karma' ? fit : scoreOf(fit, isAnswering);
    if (score < least) continue;
    heap.offer({ document, score, karma: karma[by] ?? 0, reach: reach[by] ?? 0 });
    const last = order === 'score' ? heap.last() : undefined;
    if (last === undefined) continue;
    const from = last.score - (last.score % SCORE_STEP);
    if (from > least) worth = gainsFor((least = from), about);
  }
  return heap
    .all()
    .sort(inOrder)
    .map((each) => foundOf(each, documents));
}

/**
 * The step that a document must reach to be among the first, by what is known so far: what was met
 * gains no less by further ideas.
 */
export function leastStep(race: Race): number {
  const { tally, documents, request, about } = race;
  const { owner, answers } = documents.columns;
  if (request.order === 'karma') return stepOf((bestFit(race) * FIT_SHARE_MIN) / 100 - 1);
  const worth = shares(about);
  const steps = new Int32Array(stepOf(RELEVANCE_MAX) + 1);
  const met = tally.met();
  const { score, ideas } = tally.columns;
  for (let at = 0; at < met.length; at += 1) {
    const document = met[at] ?? 0;
    if (answers[owner[document] ?? 0] !== 1) continue;
    // Less than it fits, whatever its name: rounded down, and one less for the rounding.
    const fit = (score[document] ?? 0) * (worth[(ideas[document] ?? 0) & IDEAS_MASK] ?? 0) - 1;
    const step = fit < 0 ? 0 : Math.floor(fit / SCORE_STEP);
    steps[step] = (steps[step] ?? 0) + 1;
  }
  let above = 0;
  for (let step = steps.length - 1; step >= 0; step -= 1) {
    above += steps[step] ?? 0;
    if (above >= request.count) return Math.min(step, stepOf(WORDS_NAMED_FROM) - 1);
  }
  return -1;
}

/** By the number of ideas that a document has: what each unit of its gains is worth. */
function shares(about: Race['about']): Float64Array {
  const full = about.gainMax * WEIGHT_MAX;
  const score = full / 2;
  return Float64Array.from({ length: about.queryTerms + 1 }, (_, queryTerms) =>
    score === 0 ? 0 : (relevanceOf({ score, queryTerms, inName: 0, named: 0 }, about) - 1) / score,
  );
}

/** The highest step that is reached by these gains, of so many ideas and without the name. */
export function stepBy(gains: number, ideas: number, about: Race['about']): number {
  const hit = { score: gains, queryTerms: ideas, inName: 0, named: 0 };
  return stepOf(relevanceOf(hit, about));
}

function stepOf(score: number): number {
  return Math.floor(score / SCORE_STEP);
}

function bestFit(race: Race): number {
  const { tally, documents, request } = race;
  const { owner, answers } = documents.columns;
  const met = tally.met();
  let most = 0;
  for (let at = 0; at < met.length; at += 1) {
    const document = met[at] ?? 0;
    if (request.answeringOnly === true && answers[owner[document] ?? 0] !== 1) continue;
    most = Math.max(most, fitOf(race, document));
  }
  return most;
}

const hit = { score: 0, queryTerms: 0, inName: 0, named: 0 };

function fitOf({ tally, about, whole }: Race, document: number): number {
  if (whole.length > 0 && whole.includes(document)) return RELEVANCE_MAX;
  const has = tally.columns.ideas[document] ?? 0;
  hit.score = tally.columns.score[document] ?? 0;
  hit.queryTerms = has & IDEAS_MASK;
  hit.inName = has >> IN_NAME_SHIFT;
  hit.named = tally.columns.named[document] ?? 0;
  return relevanceOf(hit, about);
}

/**
 * By the number of ideas that a document has: the gains below which it fits less than that, unless
 * by its name.
 */
function gainsFor(fit: number, about: Race['about']): readonly number[] {
  const most = 256 * about.gainMax;
  return Array.from({ length: about.queryTerms + 1 }, (_, queryTerms) => {
    let [from, to] = [0, most];
    while (from < to) {
      const score = Math.floor((from + to) / 2);
      const reached = relevanceOf({ score, queryTerms, inName: 0, named: 0 }, about);
      if (reached < Math.min(fit, WORDS_NAMED_FROM)) from = score + 1;
      else to = score;
    }
    return from;
  });
}

function orderOf(
  order: FindRequest['order'],
  documents: DocumentStore,
): (a: Candidate, b: Candidate) => number {
  const byRank = order === 'karma' ? byKarma : byScore;
  const { kind, part } = documents.columns;
  return (a, b) =>
    byRank(a, b) ||
    byText(documents.ref(a.document), documents.ref(b.document)) ||
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
