import { formsOf, languagesIn, type Language } from '../analysis/languages.ts';
import { isPaired, isStopWord, nameTerm, wordsOf } from '../analysis/words.ts';
import { meaningsOf, segmentsOf } from './meanings.ts';

/**
 * How much a word counts: more in a name, less in a long field, hardly more at its third
 * repetition. Weights are 1 to 255; one more bit marks a word of the document's own name.
 */
export const WEIGHT_MAX = 255;
const IN_NAME = 256;
/** The weight of a whole name, that of the document or of something that it has. */
const NAME_WEIGHT = WEIGHT_MAX;
const PART_NAME_WEIGHT = 200;
const HALF = 6;
const REPEATS_MAX = 3;

interface Field {
  readonly text: string;
  readonly worth: number;
  /** Words that such a field usually has. */
  readonly usual: number;
  readonly wordsMax: number;
  /** The document is called so. */
  readonly isName?: boolean;
}

export interface Weighed {
  readonly fields: readonly Field[];
  /** Its name; it is found first when that is asked for whole. */
  readonly name?: string;
  /** The names of its parts. */
  readonly partNames?: readonly string[];
}

/** By term its weight, and whether it is a word of the name, as one number. */
export function weightsOf({ fields, name, partNames = [] }: Weighed): ReadonlyMap<string, number> {
  const worth = new Map<string, number>();
  const inName = new Set<string>();
  const texts = fields.map((field) => wordsOf(field.text, field.wordsMax));
  const languages = languagesIn(texts.flat().map(({ whole }) => whole));
  for (const [nth, field] of fields.entries()) {
    const words = (texts[nth] ?? []).filter(({ whole }) => !isStopWord(whole));
    const scale = field.worth / (0.4 + (0.6 * words.length) / field.usual);
    const counts = new Map<string, number>();
    for (const { stem, parts, written } of words) {
      for (const term of new Set([stem, ...parts, ...otherTerms(written, languages)])) {
        counts.set(term, Math.min(REPEATS_MAX, (counts.get(term) ?? 0) + 1));
      }
    }
    for (const [term, count] of counts) {
      worth.set(term, (worth.get(term) ?? 0) + scale * (0.5 + 0.5 * count));
      if (field.isName === true) inName.add(term);
    }
  }
  const weights = new Map<string, number>();
  for (const [term, sum] of worth) {
    const weight = Math.max(1, Math.round((WEIGHT_MAX * sum) / (sum + HALF)));
    weights.set(term, weight + (inName.has(term) ? IN_NAME : 0));
  }
  for (const part of partNames) setName(weights, part, PART_NAME_WEIGHT);
  if (name !== undefined) setName(weights, name, NAME_WEIGHT);
  return weights;
}

/** Terms under which readers of other languages look for the word. */
function otherTerms(written: string, languages: readonly Language[]): readonly string[] {
  if (ASCII.test(written) && languages.length === 0 && !/[0-9]/.test(written)) return [];
  const spoken: readonly Language[] = ASCII.test(written) ? languages : [...languages, 'russian'];
  const meanings = isPaired(written)
    ? segmentsOf(written).flatMap((segment) => segment.meanings)
    : meaningsOf(written, spoken);
  return [...formsOf(written, languages), ...meanings];
}

const ASCII = /^[\0-\x7f]*$/;

function setName(weights: Map<string, number>, name: string, weight: number): void {
  const term = nameTerm(name);
  if (term !== undefined) weights.set(term, weight);
}

/** Whether a weight of a whole name is that of the document itself. */
export function isOwnName(weight: number): boolean {
  return weight === NAME_WEIGHT;
}

export function weightOf(packed: number): number {
  return packed & WEIGHT_MAX;
}
export function isInName(packed: number): boolean {
  return (packed & IN_NAME) !== 0;
}
