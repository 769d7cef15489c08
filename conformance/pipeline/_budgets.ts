import assert from 'node:assert/strict';
import { statementsOf } from '../harness/statements.ts';

/** The statements that one operation may send, BEGIN and COMMIT among them, by database. */
export interface Budget {
  readonly SQLite: number;
  readonly PostgreSQL: number;
}

/** Before the one that is counted, so that statements are prepared and caches are filled. */
const WARM_UPS = 3;

/**
 * Runs the steps in their order until they are warm, and counts the statements of each. A change may
 * lower a budget; it never raises one.
 */
export async function mustKeepBudgets<Name extends string>(
  database: keyof Budget,
  budgets: Readonly<Record<Name, Budget>>,
  steps: Readonly<Record<Name, (run: number) => Promise<unknown>>>,
): Promise<void> {
  const names = Object.keys(steps) as Name[];
  for (let run = 0; run < WARM_UPS; run += 1) for (const name of names) await steps[name](run);
  const found = new Map<Name, readonly string[]>();
  for (const name of names) found.set(name, await statementsOf(() => steps[name](WARM_UPS)));
  const counted = [...found].map(([name, { length }]) => [name, length]);
  const allowed = names.map((name) => [name, budgets[name][database]]);
  const over = [...found].filter(([name, sent]) => sent.length > budgets[name][database]);
  assert.deepEqual(counted, allowed, over.map((each) => each.flat().join('\n')).join('\n\n'));
}
