import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Transaction } from './transaction.ts';

/** The state that remains when a transaction runs again. */
export interface Steady {
  readonly ids: string[];
  runs: number;
  startedAt?: Instant;
}
const steady = new WeakMap<Transaction<unknown>, Steady>();

export function steadyOf(unit: Transaction<unknown>): Steady {
  const { startedAt } = unit;
  const state = steady.get(unit) ?? { ids: [], runs: 0, ...defined({ startedAt }) };
  steady.set(unit, state);
  return state;
}

export function runsOf(unit: Transaction<unknown>): number {
  return steady.get(unit)?.runs ?? 0;
}
