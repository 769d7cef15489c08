import { relevanceOf } from './score.ts';
import type { Tier } from './tiers.ts';

/** Documents that gain no more than that by one word of a concept. */
interface Part {
  readonly gainMax: number;
  readonly documents: Uint32Array;
}

/** The parts of a concept that give equally much; they are read together. */
interface Reading {
  readonly gainMax: number;
  readonly parts: readonly Part[];
  readonly length: number;
}

/** One concept of a query: what is called by the word that was asked for, and everything else. */
export interface ConceptLists {
  readonly named: readonly Part[];
  readonly others: readonly Part[];
}

/** The lists of the words of one concept; what gives most comes first. */
export function conceptLists(
  words: readonly { readonly tiers: readonly Tier[]; readonly score: number; isAsked: boolean }[],
): ConceptLists {
  const named: Part[] = [];
  const others: Part[] = [];
  for (const { tiers, score, isAsked } of words) {
    for (const { documents, isInName, weightMax } of tiers) {
      const among = isInName && isAsked ? named : others;
      among.push({ gainMax: score * weightMax, documents });
    }
  }
  return { named: named.sort(byGain), others: others.sort(byGain) };
}

function byGain(a: Part, b: Part): number {
  return b.gainMax - a.gainMax;
}

/** Groups parts, given in any order, by their gain; the reading that gains most comes first. */
function readingsOf(parts: readonly Part[]): Reading[] {
  const alike = new Map<number, Part[]>();
  for (const part of [...parts].sort(byGain)) {
    alike.set(part.gainMax, [...(alike.get(part.gainMax) ?? []), part]);
  }
  return [...alike].map(([gainMax, each]) => ({ gainMax, parts: each, length: lengthOf(each) }));
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { documents }) => sum + documents.length, 0);
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
 * (the threshold algorithm of Fagin, Lotem and Naor). First by names: where one concept has no more of
 * those, nothing unmet is called by all. Then where a reading lowers what is left most for its length.
 */
export function seek(
  concepts: readonly ConceptLists[],
  about: { readonly gainMax: number; readonly queryTerms: number },
  seeker: Seeker,
): void {
  const fitMax = (gains: readonly number[], inName: number): number => {
    const queryTerms = gains.filter((gain) => gain > 0).length;
    const score = gains.reduce((sum, gain) => sum + gain, 0);
    return relevanceOf({ score, queryTerms, inName, named: 0 }, about);
  };
  const lines = concepts.map(({ named, others }) => ({ named: [...named], others }));
  while (lines.length > 0 && lines.every(({ named }) => named.length > 0)) {
    const gains = lines.map((line) => Math.max(gainOf(line.named[0]), gainOf(line.others[0])));
    const fit = fitMax(gains, lines.length);
    if (seeker.isDecided(fit)) return;
    const least = lines.reduce((a, b) => (lengthOf(a.named) <= lengthOf(b.named) ? a : b));
    read(least.named.splice(0, 1), fit, seeker);
  }
  const rest = lines.map(({ named, others }) => readingsOf([...named, ...others]));
  while (rest.some(({ length }) => length > 0)) {
    const gains = rest.map(([front]) => gainOf(front));
    const fit = fitMax(gains, 0);
    if (seeker.isDecided(fit)) return;
    const next = rest.reduce((a, b) => (worthOf(a) >= worthOf(b) ? a : b));
    read(next.shift()?.parts ?? [], fit, seeker);
  }
}

function gainOf(front: Part | Reading | undefined): number {
  return front?.gainMax ?? 0;
}

/** By how much each of its documents lowers what the concept can still give. */
function worthOf([front, second]: readonly Reading[]): number {
  return front === undefined ? -1 : (gainOf(front) - gainOf(second)) / front.length;
}

function read(parts: readonly Part[], fitMax: number, seeker: Seeker): void {
  for (const { documents } of parts) {
    for (let at = 0; at < documents.length; at += 1) {
      if (at % READ_AT_ONCE === 0 && seeker.isDecided(fitMax)) return;
      seeker.meet(documents[at] ?? 0, fitMax);
    }
  }
}
