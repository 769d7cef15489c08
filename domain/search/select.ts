import { byText } from './dictionary.ts';
import type { DocumentStore } from './documentStore.ts';
import type { FindRequest, Found, FoundPage } from './found.ts';
import { KINDS, type Idea } from './plan.ts';
import { byKarma, byScore, isWorthListing, SCORE_STEP, scoreOf, type Ranked } from './rank.ts';
import { RELEVANCE_MAX, relevanceOf } from './score.ts';
import type { Tally } from './tally.ts';

/** A found document and all that its place is decided by. */
interface Candidate extends Ranked {
  readonly document: number;
}

/** Ranks everything that was met; the first `count` of the order and how many there are. */
export function best(
  tally: Tally,
  documents: DocumentStore,
  about: {
    readonly request: FindRequest;
    readonly ideas: readonly Idea[];
    readonly whole: readonly number[];
  },
): FoundPage {
  const { order, count } = about.request;
  for (const document of about.whole) tally.meet(document);
  const { owner, answers, karma, reach } = documents.columns;
  const { fits, most } = fitsOf(tally, documents, about);
  const least = order === 'karma' ? most : 0;
  const inOrder = orderOf(order, documents);
  const heap = openHeap(count, inOrder);
  const met = tally.met();
  let total = 0;
  for (let at = 0; at < met.length; at += 1) {
    const document = met[at] ?? 0;
    const fit = fits[at] ?? LEFT_OUT;
    if (fit === LEFT_OUT || !isWorthListing(fit, least)) continue;
    total += 1;
    const by = owner[document] ?? 0;
    const score = order === 'karma' ? fit : scoreOf(fit, answers[by] === 1);
    if (order === 'score' && score + SCORE_STEP <= heap.least()) continue;
    heap.offer({ document, score, karma: karma[by] ?? 0, reach: reach[by] ?? 0 });
  }
  const found = heap.all().sort(inOrder);
  return { total, found: found.map((each) => foundOf(each, documents)) };
}

const LEFT_OUT = 65_535;

/** How well each fits, in the order in which they were met, and the best of them. */
function fitsOf(
  tally: Tally,
  { columns }: DocumentStore,
  {
    request: { answeringOnly = false },
    ideas,
    whole,
  }: {
    readonly request: FindRequest;
    readonly ideas: readonly Idea[];
    readonly whole: readonly number[];
  },
): { readonly fits: Uint16Array; readonly most: number } {
  const met = tally.met();
  const { score, ideas: having, inName, named } = tally.columns;
  const gainMax = ideas.reduce((sum, idea) => sum + idea.score, 0);
  const about = { gainMax, queryTerms: ideas.length };
  const fits = new Uint16Array(met.length);
  let most = 0;
  const hit = { score: 0, queryTerms: 0, inName: 0, named: 0 };
  for (let at = 0; at < met.length; at += 1) {
    const document = met[at] ?? 0;
    if (answeringOnly && columns.answers[columns.owner[document] ?? 0] !== 1) {
      fits[at] = LEFT_OUT;
      continue;
    }
    hit.score = score[document] ?? 0;
    hit.queryTerms = having[document] ?? 0;
    hit.inName = inName[document] ?? 0;
    hit.named = named[document] ?? 0;
    const isWhole = whole.length > 0 && whole.includes(document);
    const fit = isWhole ? RELEVANCE_MAX : relevanceOf(hit, about);
    fits[at] = fit;
    if (fit > most) most = fit;
  }
  return { fits, most };
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

/** Keeps the first `count` of what it is offered; the last of them is at its top. */
interface Heap {
  offer(candidate: Candidate): void;
  /** Score of the last that is kept, while there is no room for more; else below all scores. */
  least(): number;
  all(): Candidate[];
}

function openHeap(count: number, inOrder: (a: Candidate, b: Candidate) => number): Heap {
  const kept: Candidate[] = [];
  const sink = (): void => {
    for (let at = 0; ;) {
      let last = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        const [one, other] = [kept[child], kept[last]];
        if (one !== undefined && other !== undefined && inOrder(one, other) > 0) last = child;
      }
      if (last === at) return;
      swap(kept, at, last);
      at = last;
    }
  };
  const rise = (): void => {
    for (let at = kept.length - 1; at > 0;) {
      const parent = (at - 1) >> 1;
      const [one, other] = [kept[at], kept[parent]];
      if (one === undefined || other === undefined || inOrder(one, other) <= 0) return;
      swap(kept, at, parent);
      at = parent;
    }
  };
  return {
    offer(candidate) {
      const [top] = kept;
      if (kept.length < count) {
        kept.push(candidate);
        rise();
      } else if (top !== undefined && inOrder(candidate, top) < 0) {
        kept[0] = candidate;
        sink();
      }
    },
    least: () => (kept.length < count ? -SCORE_STEP : (kept[0]?.score ?? 0)),
    all: () => kept,
  };
}

function swap(list: Candidate[], a: number, b: number): void {
  const [one, other] = [list[a], list[b]];
  if (one === undefined || other === undefined) return;
  list[a] = other;
  list[b] = one;
}
