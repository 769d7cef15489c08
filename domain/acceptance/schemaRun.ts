import { pointerStep } from './path.ts';
import { refusal } from './refusal.ts';
import { REFUSAL_ITEMS_MAX, type Refusal } from './rule.ts';
import { preview } from './values.ts';

/** One evaluation of a value. It stores only the first reasons, so their list is bounded. */
export interface Place {
  readonly parent: Place | undefined;
  readonly step: string | number;
}

export interface Run {
  /** Goes on after a failure, to find further reasons. */
  readonly isFull: boolean;
  readonly reasons: Reason[];
  /** Above 0 while a failure is no reason, as under `not`. */
  muted: number;
}

interface Reason {
  readonly keyword: string;
  readonly place: Place | undefined;
  readonly expected: string;
  readonly got: string;
}

/** Alternatives that failed are forgotten when another one holds, so more are kept than shown. */
const REASONS_MAX = 4 * REFUSAL_ITEMS_MAX;
export const NOTHING = 'nothing';

export const openRun = (isFull: boolean): Run => ({ isFull, reasons: [], muted: 0 });

/** Notes why a value failed; always false, the result of the check that calls it. */
export function fail(
  run: Run,
  keyword: string,
  place: Place | undefined,
  expected: () => string,
  got: () => string,
): false {
  if (run.muted === 0 && run.reasons.length < REASONS_MAX) {
    run.reasons.push({ keyword, place, expected: expected(), got: got() });
  }
  return false;
}

/** Evaluates something whose failure is no reason by itself. */
export function muted(run: Run, evaluate: () => boolean): boolean {
  run.muted += 1;
  try {
    return evaluate();
  } finally {
    run.muted -= 1;
  }
}

export function refusalsOf({ reasons }: Run): readonly Refusal[] {
  return reasons.slice(0, REFUSAL_ITEMS_MAX).map(({ keyword, place, expected, got }) => {
    return refusal(pointerTo(place), `json_schema.${keyword}`, expected, got);
  });
}

function pointerTo(place: Place | undefined): string {
  const steps: string[] = [];
  for (let at = place; at !== undefined; at = at.parent) steps.push(pointerStep(at.step));
  return steps.reverse().join('');
}

export const shown = (value: unknown) => (): string => preview(value);

/** Which members and items subschemas in place have evaluated (2020-12, section 11). */
export interface Evaluated {
  allMembers: boolean;
  readonly members: Set<string>;
  /** All items before this one. */
  itemsBefore: number;
  readonly items: Set<number>;
}

export function nothingEvaluated(): Evaluated {
  return { allMembers: false, members: new Set(), itemsBefore: 0, items: new Set() };
}

export function addEvaluated(to: Evaluated | undefined, more: Evaluated | undefined): void {
  if (to === undefined || more === undefined) return;
  to.allMembers ||= more.allMembers;
  to.itemsBefore = Math.max(to.itemsBefore, more.itemsBefore);
  for (const member of more.members) to.members.add(member);
  for (const item of more.items) to.items.add(item);
}
