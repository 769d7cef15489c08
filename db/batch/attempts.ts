import { eachInTurns } from '../turns.ts';
import type { Need } from './need.ts';
import type { Attempt, Ended, Transaction } from './transaction.ts';
import type { WorkingSet } from './workingSet.ts';
import type { Effect } from './write.ts';

/** How the units of a batch ended, and the rows that it was decided on. */
export interface Written {
  readonly endings: Endings;
  readonly set: WorkingSet;
  readonly effects: readonly Effect[];
}

/** Attempts of one transaction among others, and alone; each loads what the one before it missed. */
const PASSES_TOGETHER_MAX = 4;
export const PASSES_ALONE_MAX = 16;

/** Undefined for a unit that has to run alone. */
export type Endings = readonly (Ended | undefined)[];

export function passesMax({ length }: readonly unknown[]): number {
  return length > 1 ? PASSES_TOGETHER_MAX : PASSES_ALONE_MAX;
}

/** Runs each unit that has not run to its end so far; the rows in the set stay as they are. */
export async function runEach(
  units: readonly Transaction<unknown>[],
  set: WorkingSet,
  attempts: Attempt[],
): Promise<void> {
  await eachInTurns(units.entries(), ([nth, unit]) => {
    if (attempts[nth]?.ok === undefined) attempts[nth] = set.run(unit);
  });
}

export function missingOf(attempts: readonly Attempt[]): readonly Need[] {
  return attempts.flatMap((each) => (each.ok === undefined ? each.missing : []));
}

/** Alone, a transaction that still asks for rows goes round in a circle. */
export function endingOf(attempt: Attempt, isAlone: boolean): Ended | undefined {
  if (attempt.ok !== undefined) return attempt;
  return isAlone ? { ok: false, error: circle(attempt.missing) } : undefined;
}

function circle(missing: readonly Need[]): Error {
  const names = missing.map(({ table, key }) => `${table.name} ${table.id(key)}`).join(', ');
  return new Error(`a transaction asks for more rows at each attempt, at last for ${names}`);
}
