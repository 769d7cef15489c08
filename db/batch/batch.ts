import type { Effect } from './write.ts';
import type { Dialect, Link, Row } from '../connection.ts';
import type { LedgerMemory } from '../ledger/memory.ts';
import type { NotedEvent } from '../noted.ts';
import { runHooks } from '../unitOfWork.ts';
import { effectsOf, unmadeOf } from './effects.ts';
import { notedEffects } from './noted.ts';
import { readAsked, type Read } from './reads.ts';
import type { AnyTable, Need } from './need.ts';
import { writeOrder } from './tables.ts';
import type { Attempt, Transaction, Ended } from './transaction.ts';
import { endingOf, missingOf, runEach } from './attempts.ts';
import { askedBy, type Asked } from './asked.ts';
import type { PassCounts } from './passCounts.ts';
import { runsOf, WorkingSet } from './workingSet.ts';

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
  readonly within: <T>(work: (link: BatchLink) => Promise<T>, alone: boolean) => Promise<T>;
  /** Whether an error proves that nothing was kept and that the rows were to blame. */
  readonly isRefused: (error: unknown) => boolean;
  readonly report: (error: unknown) => void;
  /** Notifies the listeners after the commit. */
  readonly publish: (topic: string) => void;
  /** The rows that the units need, when they were read before their turn. */
  readonly prefetched?: Prefetched;
  readonly wrote?: (set: WorkingSet) => void;
}

/**
 * The needs of a batch, read while the one before it is written, whose changes are taken from its
 * working set. The guards of the write notice any other change.
 */
export interface Prefetched extends Read {
  readonly asked: Asked;
  readonly follows: WorkingSet | undefined;
}

/** A unit that loses against others each time it is tried alone. */
const TRIES_MAX = 6;

/** Runs units in a batch. If the database refuses it, they run singly, so only the cause fails. */
export async function runUnits(
  units: readonly Transaction<unknown>[],
  parts: BatchParts,
): Promise<readonly Ended[]> {
  const together = units.length > 1 ? await tried(units, parts) : undefined;
  const left = units.length > 1 ? withoutPrefetched(parts) : parts;
  const ended: Ended[] = [];
  for (const [nth, unit] of units.entries()) {
    ended.push(together?.[nth] ?? (await runAlone(unit, left)));
  }
  return ended;
}

async function runAlone(unit: Transaction<unknown>, parts: BatchParts): Promise<Ended> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [ended] = await runBatch(
        [unit],
        attempt > 1 ? withoutPrefetched(parts) : parts,
        attempt > 1,
      );
      if (ended !== undefined) return ended;
    } catch (error) {
      if (attempt === TRIES_MAX || !parts.isRefused(error)) return { ok: false, error };
    }
  }
}

function withoutPrefetched({ prefetched: _, ...parts }: BatchParts): BatchParts {
  return parts;
}

/** Undefined when the units have to go one by one. */
async function tried(
  units: readonly Transaction<unknown>[],
  parts: BatchParts,
): Promise<Endings | undefined> {
  try {
    return await runBatch(units, parts);
  } catch (error) {
    if (parts.isRefused(error)) return undefined;
    return units.map((): Ended => ({ ok: false, error }));
  }
}

/** Attempts of one transaction among others, and alone; each loads what the one before it missed. */
const PASSES_TOGETHER_MAX = 4;
const PASSES_ALONE_MAX = 16;

/** Undefined for a unit that has to run alone. */
type Endings = readonly (Ended | undefined)[];

/** A pass that was written, or one that left nothing: it needs more rows, or must lock again. */
type Pass =
  { readonly endings: Endings; readonly set: WorkingSet } | { readonly missing: readonly Need[] };

async function runBatch(
  units: readonly Transaction<unknown>[],
  parts: BatchParts,
  alone = false,
): Promise<Endings> {
  const needs = units.flatMap((unit) => unit.needs);
  let prefetched = parts.prefetched;
  for (let passes = 1; ; passes += 1) {
    const isLast = passes === passesMax(units);
    const pass = await parts.within(
      (link) => runPass(link, { units, needs, isLast, prefetched }, parts),
      alone,
    );
    if ('missing' in pass) {
      // PostgreSQL locks a larger set again from the first table on (choices store.postgres).
      needs.push(...pass.missing);
      prefetched = undefined;
      continue;
    }
    const { endings, set } = pass;
    conclude(set, parts);
    for (const [nth, unit] of units.entries()) {
      if (endings[nth] !== undefined) parts.passCounts.add(unit.name ?? 'other', runsOf(unit));
    }
    return endings;
  }
}

function passesMax({ length }: readonly unknown[]): number {
  return length > 1 ? PASSES_TOGETHER_MAX : PASSES_ALONE_MAX;
}

interface PassPlan {
  readonly units: readonly Transaction<unknown>[];
  readonly needs: readonly Need[];
  readonly isLast: boolean;
  readonly prefetched: Prefetched | undefined;
}

/** Reads, decides and writes once, in a transaction of its own. */
async function runPass(
  link: BatchLink,
  { units, needs, isLast, prefetched }: PassPlan,
  { ledger }: BatchParts,
): Promise<Pass> {
  const read = prefetched ?? (await readNeeds(link, needs));
  const set = workingSet(read, link.dialect, ledger);
  if (!isLast && isUnlocked(set, read)) {
    await link.abandon();
    return { missing: [] };
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
  if (missing.length > 0 && !isLast && link.dialect === 'postgres') {
    await link.abandon();
    return { missing };
  }
  // What was read beside an earlier batch may hold what a unit has to run after, even alone.
  const isAlone = units.length === 1 && read.follows === undefined;
  const endings = attempts.map((each) => endingOf(each, isAlone));
  const effects = [...effectsOf(set, writeOrder), ...notedEffects(set.noted)];
  if (effects.length > 0) await link.write([...effects, ...unmadeOf(set, writeOrder)]);
  else await link.abandon();
  return { endings, set };
}

/** Returns whether a row was inserted after the lock; to lock it now would break the lock order. */
function isUnlocked(set: WorkingSet, { asked, locked }: Prefetched): boolean {
  if (locked === undefined) return false;
  for (const [table, keys] of asked) {
    if (table.lock === undefined || table.update === undefined) continue;
    if (set.countRead(table, keys.keys()) > Number(locked[table.name])) return true;
  }
  return false;
}

/** Loads more rows into a working set; what it holds already stays as it is. */
async function grow(set: WorkingSet, link: Link, missing: readonly Need[]): Promise<void> {
  const { asked, row } = await readNeeds(link, missing);
  set.expect(asked);
  for (const table of asked.keys()) set.load(table, cellOf(row, table));
}

function conclude(set: WorkingSet, { report, publish, wrote }: BatchParts): void {
  wrote?.(set);
  runHooks(set.hooks, report);
  for (const topic of set.topics) publish(topic);
}

export function prefetch(link: Link, units: readonly Transaction<unknown>[]): Promise<Prefetched> {
  return readNeeds(
    link,
    units.flatMap(({ needs }) => needs),
  );
}

async function readNeeds(link: Link, needs: readonly Need[]): Promise<Prefetched> {
  const asked = askedBy(needs);
  return { asked, ...(await readAsked(link, asked)), follows: undefined };
}

function workingSet(
  { asked, row, follows }: Prefetched,
  dialect: Dialect,
  ledger: LedgerMemory,
): WorkingSet {
  const set = new WorkingSet(dialect, ledger);
  set.expect(asked);
  for (const table of asked.keys()) set.load(table, cellOf(row, table));
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
