import type { Effect } from './write.ts';
import type { Dialect, Link, Row } from '../connection.ts';
import type { LedgerMemory } from '../ledger/memory.ts';
import type { NotedEvent } from '../noted.ts';
import { effectsOf, unmadeOf } from './effects.ts';
import { notedEffects } from './noted.ts';
import { readAsked, type Read } from './reads.ts';
import type { FreeWay } from './free.ts';
import type { Known, Recalled } from './memory.ts';
import type { AnyTable, Need, Slot } from './need.ts';
import { writeOrder } from './tables.ts';
import { effectsText, needsText, tracePass, unitsText, type Trace } from './trace.ts';
import type { Attempt, Transaction, Ended } from './transaction.ts';
import {
  endingOf,
  missingOf,
  PASSES_ALONE_MAX,
  passesMax,
  runEach,
  type Written,
} from './attempts.ts';
import { askedBy, type Asked } from './asked.ts';
import type { PassCounts } from './passCounts.ts';
import { WorkingSet } from './workingSet.ts';

/** Units that share one transaction; bounds how long the first of them waits for its answer. */
export const BATCH_MAX = 64;

/** One transaction on one connection, as each database has it. */
export interface BatchLink extends Link {
  /** Writes the effects and commits; a throw says that nothing of them was kept. */
  write(effects: readonly Effect[]): Promise<void>;
  abandon(): Promise<void>;
}

export interface BatchParts {
  readonly ledger: LedgerMemory;
  readonly passCounts: PassCounts;
  /** Runs a batch in a transaction; `alone` from the first read on, when it lost a race before. */
  readonly within: Within;
  /** The way without a transaction, where the database has it. */
  readonly free?: FreeWay;
  /** Whether an error proves that nothing was kept and that the rows were to blame. */
  readonly isRefused: (error: unknown) => boolean;
  /** Whether another process was to blame, so that the batch may run again, alone. */
  readonly isRace?: (error: unknown) => boolean;
  readonly report: (error: unknown) => void;
  readonly trace?: Trace | undefined;
  /** Notifies the listeners after the commit. */
  readonly publish: (topic: string) => void;
  /** The rows that the units need, when they were read before their turn. */
  readonly prefetched?: Prefetched | undefined;
  /** On SQLite: splits what is asked into what has to be read and what is remembered. */
  readonly recall?: Recall | undefined;
  readonly wrote?: (set: WorkingSet) => void;
}

type Recall = (asked: Asked) => Recalled;

type Within = <T>(work: (link: BatchLink) => Promise<T>, alone: boolean) => Promise<T>;

/**
 * The needs of a batch, read while the one before it is written, whose changes are taken from its
 * working set. The guards of the write notice any other change.
 */
export interface Prefetched extends Read {
  readonly asked: Asked;
  readonly known: readonly Known[];
  readonly follows: WorkingSet | undefined;
}

/** A pass that was written, or one that left nothing: it needs more rows, or must lock again. */
type Pass = (Written | { readonly missing: readonly Need[] }) & {
  readonly known: readonly Known[];
};

export async function runBatch(
  units: readonly Transaction<unknown>[],
  parts: BatchParts,
  alone = false,
): Promise<Written> {
  const needs = units.flatMap((unit) => unit.needs);
  let { prefetched, recall } = parts;
  for (let passes = 1; ; passes += 1) {
    const isLast = passes === passesMax(units);
    const pass = await tracedPass({ units, needs, isLast, prefetched, recall }, parts, alone);
    if ('missing' in pass) {
      // PostgreSQL locks a larger set again from the first table on (choices store.postgres).
      needs.push(...pass.missing);
      prefetched = recall = undefined;
      continue;
    }
    return pass;
  }
}

async function tracedPass(plan: PassPlan, parts: BatchParts, alone: boolean): Promise<Pass> {
  const { units, needs, prefetched } = plan;
  const ends = tracePass(parts.trace, () => ({
    way: alone ? 'alone' : 'in turn',
    units: unitsText(units),
    read: needsText(needs),
    readBefore: String(prefetched !== undefined),
  }));
  try {
    const pass = await parts.within((link) => runPass(link, plan, parts), alone);
    ends(() => ({
      ...(pass.known.length > 0 && { remembered: needsText(pass.known) }),
      ...('missing' in pass
        ? { missing: needsText(pass.missing) }
        : { wrote: effectsText(pass.effects) }),
    }));
    return pass;
  } catch (error) {
    ends(() => ({ refused: String(error) }));
    throw error;
  }
}

interface PassPlan {
  readonly units: readonly Transaction<unknown>[];
  readonly needs: readonly Need[];
  readonly isLast: boolean;
  readonly prefetched: Prefetched | undefined;
  readonly recall: Recall | undefined;
}

/** Reads, decides and writes once, in a transaction of its own. */
async function runPass(
  link: BatchLink,
  { units, needs, isLast, prefetched, recall }: PassPlan,
  { ledger, free }: BatchParts,
): Promise<Pass> {
  const read = prefetched ?? (await readNeeds(link, needs, recall));
  const { known } = read;
  const set = workingSet(read, link.dialect, ledger);
  if (!isLast && isUnlocked(set, read)) {
    await link.abandon();
    return { missing: [], known };
  }
  const attempts: Attempt[] = [];
  await runEach(units, set, attempts);
  // The one writer of SQLite has nothing to lock, so its set grows and what ran well stays.
  for (let passes = 1; link.dialect === 'sqlite' && passes < passesMax(units); passes += 1) {
    const missing = missingOf(attempts);
    if (missing.length === 0) break;
    await grow(set, link, missing);
    await runEach(units, set, attempts);
  }
  const missing = missingOf(attempts);
  const mayBeUsed = known.some(({ table, id }) => isUnusedKey(table, set.slot(table, id)));
  if (mayBeUsed || (missing.length > 0 && !isLast && link.dialect === 'postgres')) {
    await link.abandon();
    return { missing, known };
  }
  // Rows that were read beside an earlier batch may be those that a unit has to run after, even alone.
  const isAlone = units.length === 1 && read.follows === undefined;
  const endings = attempts.map((each) => endingOf(each, isAlone));
  const effects = [...effectsOf(set, writeOrder), ...notedEffects(set.noted)];
  // Rows that one statement read agree with each other; those of the memory have to be compared.
  if (effects.length === 0 && known.length === 0) {
    await link.abandon();
    return { endings, set, effects, known };
  }
  const write = (): Promise<void> => link.write([...effects, ...unmadeOf(set, writeOrder)]);
  await (free === undefined ? write() : free.flights.fly(set, write));
  free?.memory.forget(read.asked, undefined);
  return { endings, set, effects, known };
}

/** A key was taken for new, and nothing was inserted that the database would refuse if it is not. */
function isUnusedKey({ remembered }: AnyTable, slot: Slot | undefined): boolean {
  return remembered === 'new keys' && slot?.now === undefined;
}

/** Returns whether a row was inserted after the lock; to lock it now would break the lock order. */
function isUnlocked(set: WorkingSet, { asked, locked }: Prefetched): boolean {
  if (locked === undefined) return false;
  for (const [table, keys] of asked) {
    if (table.lock === undefined || table.update === undefined) continue;
    const found = [...keys.keys()].filter((id) => set.slot(table, id)?.before !== undefined);
    if (found.length > Number(locked[table.name])) return true;
  }
  return false;
}

/** Loads more rows into a working set; what it holds already stays as it is. */
async function grow(set: WorkingSet, link: Link, missing: readonly Need[]): Promise<void> {
  const { asked, row } = await readNeeds(link, missing);
  set.expect(asked);
  for (const table of asked.keys()) set.load(table, cellOf(row, table));
}

export function prefetch(
  link: Link,
  units: readonly Transaction<unknown>[],
  recall?: Recall,
): Promise<Prefetched> {
  const needs = units.flatMap((unit) => unit.needs);
  return readNeeds(link, needs, recall);
}

async function readNeeds(
  link: Link,
  needs: readonly Need[],
  recall: Recall = readsAll,
): Promise<Prefetched> {
  const asked = askedBy(needs);
  const { unknown, known } = recall(asked);
  return { asked, known, ...(await readAsked(link, unknown)), follows: undefined };
}

function readsAll(asked: Asked): Recalled {
  return { unknown: asked, known: [] };
}

function workingSet(
  { asked, known, row, follows }: Prefetched,
  dialect: Dialect,
  ledger: LedgerMemory,
): WorkingSet {
  const set = new WorkingSet(dialect, ledger);
  set.expect(asked);
  for (const table of asked.keys()) set.load(table, cellOf(row, table));
  for (const each of known) set.recall(each);
  if (follows !== undefined) set.follow(follows);
  return set;
}

function cellOf(row: Row | undefined, { name }: AnyTable): unknown {
  return row?.[name];
}

export interface DecidedInside {
  readonly ended: Ended;
  readonly topics: readonly string[];
  readonly noted: readonly NotedEvent[];
  readonly hooks: readonly (() => void)[];
}

/** Its caller passes on topics, noted events and hooks: that transaction may be rolled back. */
export async function decideInside(
  link: Link,
  unit: Transaction<unknown>,
  ledger: LedgerMemory,
  write: (effects: readonly Effect[]) => Promise<void>,
): Promise<DecidedInside> {
  const set = workingSet(await prefetch(link, [unit]), link.dialect, ledger);
  let attempt = set.run(unit);
  for (let passes = 1; attempt.ok === undefined && passes < PASSES_ALONE_MAX; passes += 1) {
    await grow(set, link, attempt.missing);
    attempt = set.run(unit);
  }
  const ended = endingOf(attempt, true) ?? { ok: false, error: new Error('never') };
  const effects = [...effectsOf(set, writeOrder), ...unmadeOf(set, writeOrder)];
  if (effects.length > 0) await write(effects);
  return { ended, topics: set.topics, noted: set.noted, hooks: set.hooks };
}
