import type { Link, Row } from '../connection.ts';
import type { LedgerMemory } from '../ledger/memory.ts';
import { askedBy, type Asked } from './asked.ts';
import { endingOf, missingOf, passesMax, runEach, type Written } from './attempts.ts';
import type { Calm } from './calm.ts';
import { effectsOf } from './effects.ts';
import type { Flights } from './flights.ts';
import { guardEffects } from './guards.ts';
import type { RowMemory } from './memory.ts';
import type { Need } from './need.ts';
import { notedEffects } from './noted.ts';
import { readAsked } from './reads.ts';
import { readOrder, writeOrder } from './tables.ts';
import { askedText, effectsText, needsText, tracePass, unitsText, type Trace } from './trace.ts';
import type { Attempt, Transaction } from './transaction.ts';
import { WorkingSet } from './workingSet.ts';
import type { Effect } from './write.ts';

/**
 * The way of a batch on PostgreSQL that holds no lock while the process thinks, waits or is
 * suspended: it reads what it does not remember, decides, and sends one statement that locks,
 * compares, writes and commits (choices store.serializable).
 */
export interface FreeWay {
  /** Undefined where the connection does not keep its settings outside of a transaction. */
  within<T>(work: (link: FreeLink) => Promise<T>): Promise<T | undefined>;
  readonly memory: RowMemory;
  readonly flights: Flights;
  /** Whether few of the last batches lost against other processes. */
  readonly calm: Calm;
}

export interface FreeLink extends Link {
  /** @returns The version of the rows that were written. */
  commit(effects: readonly Effect[]): Promise<string | undefined>;
}

interface FreeParts {
  readonly ledger: LedgerMemory;
  readonly free: FreeWay;
  readonly trace?: Trace | undefined;
}

/**
 * @param mayRecall Whether rows may come from the memory.
 * @returns Undefined where this way is closed. @throws when another transaction came first.
 */
export async function runFree(
  units: readonly Transaction<unknown>[],
  parts: FreeParts,
  mayRecall: boolean,
): Promise<Written | undefined> {
  const needs = units.flatMap((unit) => unit.needs);
  let before = NOTHING;
  for (let passes = 1; ; passes += 1) {
    const plan = { units, needs, mayRecall, isLast: passes === passesMax(units), before };
    const pass = await parts.free.within((link) => runPass(link, plan, parts));
    if (pass === undefined || 'endings' in pass) return pass;
    needs.push(...pass.missing);
    before = pass.looked;
  }
}

/** The answers that passes have read; the commit compares them, so no later pass reads them again. */
interface Looked {
  readonly asked: Asked;
  readonly row: Row;
}

const NOTHING: Looked = { asked: new Map(), row: {} };

/** The tables of which a pass asks more than was read before. */
function unreadOf(unknown: Asked, { asked }: Looked): Asked {
  return new Map(
    [...unknown].filter(([table, keys]) => {
      const read = asked.get(table);
      return [...keys.keys()].some((id) => read?.has(id) !== true);
    }),
  );
}

interface PassPlan {
  readonly units: readonly Transaction<unknown>[];
  readonly needs: readonly Need[];
  readonly mayRecall: boolean;
  readonly isLast: boolean;
  readonly before: Looked;
}

async function runPass(
  link: FreeLink,
  { units, needs, mayRecall, isLast, before }: PassPlan,
  { ledger, trace, free: { memory, flights } }: FreeParts,
): Promise<Written | { readonly missing: readonly Need[]; readonly looked: Looked }> {
  const asked = askedBy(needs);
  const { unknown, known } = mayRecall ? memory.recall(asked) : { unknown: asked, known: [] };
  const unread = unreadOf(unknown, before);
  const ends = tracePass(trace, () => ({
    way: 'free',
    units: unitsText(units),
    remembered: needsText(known),
    read: askedText(unread),
  }));
  const { row: answer } = await readAsked(link, unread, true);
  const row: Row = { ...before.row, ...answer };
  const looked: Looked = { asked: new Map([...before.asked, ...unread]), row };
  const set = new WorkingSet('postgres', ledger);
  set.expect(asked);
  for (const table of unknown.keys()) set.load(table, row[table.name], true);
  for (const each of known) set.recall(each);
  const attempts: Attempt[] = [];
  await runEach(units, set, attempts);
  const missing = missingOf(attempts);
  if (missing.length > 0 && !isLast) {
    ends(() => ({ missing: needsText(missing) }));
    return { missing, looked };
  }
  const endings = attempts.map((each) => endingOf(each, units.length === 1));
  const effects = [...effectsOf(set, writeOrder), ...notedEffects(set.noted)];
  // Rows that one statement read agree with each other; others have to be compared.
  if (effects.length === 0 && known.length === 0 && before.asked.size === 0) {
    ends(() => ({ wrote: '' }));
    return { endings, set, effects };
  }
  if (!isLast && (await flights.waited(set))) {
    ends(() => ({ waited: 'for a batch that shares rows' }));
    return { missing: [], looked: NOTHING };
  }
  const commit = async (): Promise<void> => {
    const guards = guardEffects(readOrder, asked, row, set);
    memory.keep(asked, set, await link.commit([...guards, ...effects]));
  };
  try {
    await flights.fly(set, commit);
    ends(() => ({ wrote: effectsText(effects) }));
  } catch (error) {
    memory.forget(asked, error);
    ends(() => ({ refused: String(error) }));
    throw error;
  }
  return { endings, set, effects };
}
