import type { Reason } from './notAsked.ts';

/** The outcome of one test. */
export type Outcome =
  | { readonly is: 'held' }
  | { readonly is: 'broken'; readonly message: string }
  | { readonly is: 'not-asked'; readonly reason: Reason };

export interface Result {
  /** The file below `conformance/`, such as `tasks/submit`. */
  readonly file: string;
  readonly title: string;
  readonly milliseconds: number;
  readonly outcome: Outcome;
}

export interface Run {
  readonly version: string;
  readonly url: string;
  readonly seed: number;
  readonly startedAt: string;
  readonly seconds: number;
  readonly results: readonly Result[];
  readonly operations: Operations;
}

/** Counts of the operations of the contract. */
export interface Operations {
  readonly declared: number;
  /** Answered at least once, with whatever status. */
  readonly answered: number;
  /** Never answered with success: their good case was not seen. */
  readonly neverSucceeded: readonly string[];
}

export interface Counts {
  readonly held: number;
  readonly broken: number;
  readonly notAsked: number;
}

export function countsOf(results: readonly Result[]): Counts {
  const of = (is: Outcome['is']): number =>
    results.filter(({ outcome }) => outcome.is === is).length;
  return { held: of('held'), broken: of('broken'), notAsked: of('not-asked') };
}

/** How many tests could not be asked, by reason, the most frequent first. */
export function unaskedBy(results: readonly Result[]): readonly (readonly [Reason, number])[] {
  const counts = new Map<Reason, number>();
  for (const { outcome } of results) {
    if (outcome.is !== 'not-asked') continue;
    counts.set(outcome.reason, (counts.get(outcome.reason) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** 0 when all that was asked held; 1 when something did not; 2 when nothing was asked. */
export function exitCodeOf(results: readonly Result[]): 0 | 1 | 2 {
  const { held, broken } = countsOf(results);
  if (broken > 0) return 1;
  return held > 0 ? 0 : 2;
}
