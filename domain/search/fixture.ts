import type { Document } from './documents.ts';
import { parseQuery } from './query.ts';
import { stem } from '../analysis/stem.ts';
import { synonymsOf } from './synonyms.ts';
import { deletionVariants, distance, typosOf } from './typos.ts';

/** Scores and sorts every document; it shares with the hub only words and their weights. */
interface Asked {
  /** Each word that may stand for it, and how well, in parts of 100. */
  readonly standing: readonly (readonly [word: string, share: number])[];
  readonly worth: number;
}

interface Judged {
  readonly kind: string;
  readonly ref: string;
  readonly part: number;
  readonly score: number;
}

export interface Judge {
  search(request: JudgedRequest): readonly Judged[];
}

interface JudgedRequest {
  readonly text: string;
  readonly kinds: readonly string[];
  /** A search, or a list of listings: karma before fit, without what fits less than 3 of 10 parts. */
  readonly order: 'score' | 'karma';
  readonly answeringOnly: boolean;
  readonly count: number;
}

export function openJudge(documents: readonly Document[]): Judge {
  const holding = new Map<string, Record<string, number>>();
  const all: Record<string, number> = {};
  for (const { kind, weights } of documents) {
    all[kind] = (all[kind] ?? 0) + 1;
    for (const word of weights.keys()) {
      const counts = holding.get(word) ?? {};
      counts[kind] = (counts[kind] ?? 0) + 1;
      holding.set(word, counts);
    }
  }
  const standings = new Map(
    documents.flatMap(({ kind, ref, standing }) => (kind === 'agent' ? [[ref, standing]] : [])),
  );
  const words = [...holding.keys()].filter((word) => !word.startsWith('='));

  const asks = (text: string, kinds: readonly string[]): readonly Asked[] => {
    const having = (word: string): number =>
      kinds.reduce((sum, kind) => sum + (holding.get(word)?.[kind] ?? 0), 0);
    const commonFirst = (a: string, b: string): number =>
      having(b) - having(a) || (a < b ? -1 : a > b ? 1 : 0);
    const total = kinds.reduce((sum, kind) => sum + (all[kind] ?? 0), 0);
    return parseQuery(text).queryTerms.map(({ term, whole, others, forms, meanings, isLast }) => {
      const standing: [string, number][] = having(term) > 0 ? [[term, 100]] : [];
      const meant = having(term) > 0 ? [] : meanings().filter((word) => having(word) > 0);
      for (const word of meant) standing.push([word, 90]);
      const kin = meant.length > 0 ? meanings().flatMap(synonymsOf) : [];
      const spoken = having(term) >= 50 ? [] : forms();
      for (const other of [...others, ...spoken, ...kin])
        if (having(other) > 0) standing.push([other, 55]);
      const isOpen = having(term) === 0 && meant.length === 0;
      if (term.length >= 3 && (isOpen || (isLast && having(term) > 0 && having(term) < 3))) {
        const longer = words.filter((word) => word.startsWith(term) && having(word) > 0);
        for (const word of longer.sort(commonFirst).slice(0, 4)) standing.push([word, 70]);
      }
      if (isOpen) {
        for (const word of typosFor(term, whole, words, commonFirst)
          .filter((each) => having(each) > 0)
          .slice(0, 4)) {
          standing.push([word, 60]);
        }
      }
      const first = standing.filter(
        ([word], n) => standing.findIndex(([each]) => each === word) === n,
      );
      const count = first[0] === undefined ? 0 : having(first[0][0]);
      const odds = 1 + (Math.max(total, count) - count + 0.5) / (count + 0.5);
      return { standing: first.slice(0, 5), worth: Math.max(40, Math.round(100 * Math.log(odds))) };
    });
  };

  return {
    search({ text, kinds, order, answeringOnly, count }) {
      const asked = asks(text, kinds);
      const { name } = parseQuery(text);
      const fitting = documents
        .filter(({ kind }) => kinds.includes(kind))
        .flatMap((document) => {
          const fit = fitOf(document, asked, name);
          if (fit === undefined) return [];
          const { answers, karma, reach } = standings.get(document.ref) ?? document.standing;
          if (answeringOnly && !answers) return [];
          const silent =
            fit >= 600
              ? Math.min(639, 600 + Math.floor((fit - 600) / 10))
              : Math.floor((fit * 70) / 100);
          return [{ document, karma, reach, fit, score: answers ? fit : silent }];
        });
      const best = fitting.reduce((most, { fit }) => Math.max(most, fit), 0);
      const ranked =
        order === 'score'
          ? fitting
          : fitting
              .filter(({ fit }) => fit * 100 >= best * 30)
              .map((each) => ({ ...each, score: each.fit }));
      const byName = (score: number): number => (score >= 800 ? 2 : score >= 600 ? 1 : 0);
      ranked.sort(
        (a, b) =>
          (order === 'karma' ? byName(b.score) - byName(a.score) || b.karma - a.karma : 0) ||
          Math.floor(b.score / 40) - Math.floor(a.score / 40) ||
          b.karma - a.karma ||
          b.reach - a.reach ||
          b.score - a.score ||
          (a.document.ref < b.document.ref ? -1 : a.document.ref > b.document.ref ? 1 : 0) ||
          KINDS.indexOf(a.document.kind) - KINDS.indexOf(b.document.kind) ||
          a.document.part - b.document.part,
      );
      return ranked.slice(0, count).map(({ document: { kind, ref, part }, score }) => {
        return { kind, ref, part, score };
      });
    },
  };
}

const KINDS = ['agent', 'skill', 'task', 'comment'];

/** Words that a slip of the finger makes of one, the nearest first. */
function typosFor(
  term: string,
  whole: string,
  words: readonly string[],
  commonFirst: (a: string, b: string) => number,
): readonly string[] {
  const meant = new Set(typosOf(whole).map(stem));
  if (meant.size === 0) return [];
  const forms = deletionVariants(term);
  const max = term.length >= 8 ? 2 : 1;
  const off = new Map<string, number>();
  for (const word of words) {
    const far = Math.abs(word.length - term.length) > max ? 9 : distance(term, word, max);
    const isAlike = far <= max && deletionVariants(word).some((form) => forms.includes(form));
    if (isAlike) off.set(word, far);
    if (meant.has(word)) off.set(word, Math.min(1, off.get(word) ?? 1));
  }
  return [...off].sort(([a, x], [b, y]) => x - y || commonFirst(a, b)).map(([word]) => word);
}

/** 0 to 1000; undefined where it has nothing of what was asked. */
function fitOf(
  { weights }: Document,
  asked: readonly Asked[],
  name: string | undefined,
): number | undefined {
  let [gained, most, had, inName] = [0, 0, 0, 0];
  for (const { standing, worth } of asked) {
    const isKnown = standing[0]?.[1] === 100;
    const gains = standing.map(([word, share]) => {
      const weight = weights.get(word) ?? 0;
      return Math.max(1, Math.round((worth * share) / 100)) * (weight % 256);
    });
    const best = Math.max(0, ...gains);
    const isCalled = standing.some(
      ([word, share]) => (!isKnown || share === 100) && (weights.get(word) ?? 0) >= 256,
    );
    most += worth * 255;
    gained += best;
    if (best > 0) had += 1;
    if (isCalled) inName += 1;
  }
  const named = name === undefined ? 0 : (weights.get(name) ?? 0);
  if (had === 0 && named === 0) return undefined;
  const matched = most === 0 ? 0 : Math.min(1, gained / most);
  const share = asked.length === 0 ? 1 : had / asked.length;
  const fit = Math.round(matched * (50 + 50 * share ** 2) * 10);
  if (named === 255) return 800 + Math.round((fit * 200) / 1000);
  if (asked.length > 0 && inName === asked.length) return 600 + Math.round((fit * 199) / 1000);
  if (named > 0) return 500 + Math.round((fit * 99) / 1000);
  return Math.min(fit, 599);
}
