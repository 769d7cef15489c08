import { relevanceOf } from './score.ts';
import type { Tier } from './tiers.ts';

/** What the words of an idea are read by: documents that gain no more than that by the idea. */
export interface Reading {
  readonly gainMax: number;
  readonly lists: readonly Uint32Array[];
  /** Documents of all its lists. */
  readonly length: number;
}

/** One idea of a query: what is called by the word that was asked for, and everything else. */
export interface IdeaLists {
  readonly named: readonly Reading[];
  readonly others: readonly Reading[];
}

/** The lists of the words of one idea. */
export function ideaLists(
  words: readonly { readonly tiers: readonly Tier[]; readonly score: number; isAsked: boolean }[],
): IdeaLists {
  const named = new Map<number, Uint32Array[]>();
  const others = new Map<number, Uint32Array[]>();
  for (const { tiers, score, isAsked } of words) {
    for (const { documents, isInName, weightMax } of tiers) {
      const among = isInName && isAsked ? named : others;
      const alike = among.get(score * weightMax);
      if (alike === undefined) among.set(score * weightMax, [documents]);
      else alike.push(documents);
    }
  }
  return { named: readingsOf(named), others: readingsOf(others) };
}

/** What gives most comes first. */
function readingsOf(byGain: ReadonlyMap<number, readonly Uint32Array[]>): readonly Reading[] {
  return [...byGain]
    .sort(([a], [b]) => b - a)
    .map(([gainMax, lists]) => ({ gainMax, lists, length: lengthOf(lists) }));
}

function lengthOf(lists: readonly { readonly length: number }[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}

/** A list is asked about once for so many of its documents whether the rest is needed. */
const READ_AT_ONCE = 1_024;

/** Who takes what is met, and says when nothing that fits no better can matter any more. */
export interface Seeker {
  /** It fits no better than `fitMax` when it was not met before. */
  meet(document: number, fitMax: number): void;
  isDecided(fitMax: number): boolean;
}

/**
 * Meets documents until the others, by what their words can give at most, cannot be among the first
 * (the threshold algorithm of Fagin, Lotem and Naor). First by names: where one idea has no more of
 * those, nothing unmet is called by all. Then where a reading lowers what is left most for its length.
 */
export function seek(
  ideas: readonly IdeaLists[],
  about: { readonly gainMax: number; readonly queryTerms: number },
  seeker: Seeker,
): void {
  const fitMax = (gains: readonly number[], inName: number): number => {
    const queryTerms = gains.filter((gain) => gain > 0).length;
    const score = gains.reduce((sum, gain) => sum + gain, 0);
    return relevanceOf({ score, queryTerms, inName, named: 0 }, about);
  };
  const lines = ideas.map(({ named, others }) => ({ named: [...named], others: [...others] }));
  while (lines.length > 0 && lines.every(({ named }) => named.length > 0)) {
    const gains = lines.map((line) => Math.max(gainOf(line.named[0]), gainOf(line.others[0])));
    const fit = fitMax(gains, lines.length);
    if (seeker.isDecided(fit)) return;
    const least = lines.reduce((a, b) => (lengthOf(a.named) <= lengthOf(b.named) ? a : b));
    read(least.named.shift(), fit, seeker);
  }
  const rest = lines.map((line) => merged(line));
  while (rest.some(({ length }) => length > 0)) {
    const gains = rest.map(([front]) => gainOf(front));
    const fit = fitMax(gains, 0);
    if (seeker.isDecided(fit)) return;
    const next = rest.reduce((a, b) => (worthOf(a) >= worthOf(b) ? a : b));
    read(next.shift(), fit, seeker);
  }
}

function gainOf(reading: Reading | undefined): number {
  return reading?.gainMax ?? 0;
}

/** By how much each of its documents lowers what the idea can still give. */
function worthOf([front, second]: readonly Reading[]): number {
  return front === undefined ? -1 : (gainOf(front) - gainOf(second)) / front.length;
}

function merged({ named, others }: IdeaLists): Reading[] {
  const byGain = new Map<number, Uint32Array[]>();
  for (const { gainMax, lists } of [...named, ...others]) {
    byGain.set(gainMax, [...(byGain.get(gainMax) ?? []), ...lists]);
  }
  return [...readingsOf(byGain)];
}

function read(reading: Reading | undefined, fitMax: number, seeker: Seeker): void {
  for (const documents of reading?.lists ?? []) {
    for (let at = 0; at < documents.length; at += 1) {
      if (at % READ_AT_ONCE === 0 && seeker.isDecided(fitMax)) return;
      seeker.meet(documents[at] ?? 0, fitMax);
    }
  }
}
