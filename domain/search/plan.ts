/**
 * How much each hit of a word gains. A concept gains by how rare its word is; a word that only stands
 * for it gains a share. Whole numbers, so that every process adds up the same.
 */
export const KINDS = ['agent', 'skill', 'task', 'comment'] as const;
export type Kind = (typeof KINDS)[number];

/** A term of the index, and in how many documents of each kind it is; in the order of `KINDS`. */
export interface Term {
  readonly id: number;
  readonly term: string;
  readonly documents: readonly number[];
}

/** A term that may stand for one that was asked for, and how well, in parts of 100. */
export interface Expansion {
  readonly term: Term;
  readonly share: number;
}

/** The maximum score of a concept, and the terms that it is read by. */
export interface TermPlan {
  readonly score: number;
  readonly words: readonly ConceptWord[];
}
interface ConceptWord {
  readonly term: Term;
  /** The score of a hit for each unit of its weight. */
  readonly score: number;
  /** In a name it is the word that was asked for. */
  readonly isAsked: boolean;
}

export const MEANING_SHARE = 90;
export const SYNONYM_SHARE = 55;
export const PREFIX_SHARE = 70;
export const TYPO_SHARE = 60;
const WHOLE_SHARE = 100;
const GAIN_MIN = 40;

export function documentsOf({ documents }: Term, kinds: readonly Kind[]): number {
  return kinds.reduce((sum, kind) => sum + (documents[KINDS.indexOf(kind)] ?? 0), 0);
}

/**
 * A concept of the terms in `expansions`, its own word first with a whole share. Without terms it
 * weighs as a rare one and is never met; without its own word, the stand-ins count as asked for.
 */
export function conceptOf(
  expansions: readonly Expansion[],
  kinds: readonly Kind[],
  total: number,
): TermPlan {
  const own = expansions.find(({ share }) => share === WHOLE_SHARE);
  const best = own ?? expansions[0];
  const score = idf(best === undefined ? 0 : documentsOf(best.term, kinds), total);
  return {
    score,
    words: expansions.map(({ term, share }) => ({
      term,
      score: Math.max(1, Math.round((score * share) / WHOLE_SHARE)),
      isAsked: own === undefined || share === WHOLE_SHARE,
    })),
  };
}

/** A hundred times the logarithm of how few documents have it. */
function idf(documents: number, total: number): number {
  const odds = 1 + (Math.max(total, documents) - documents + 0.5) / (documents + 0.5);
  return Math.max(GAIN_MIN, Math.round(100 * Math.log(odds)));
}
