import type { Dialect, Link, Row, Value } from '../connection.ts';
import type { LedgerMemory } from '../ledger/memory.ts';
import type { NotedEvent } from '../noted.ts';
import { notedEffects } from './noted.ts';
import { openReads, type BatchReads } from './reads.ts';
import type { AnyTable, Need } from './table.ts';
import { writeOrder } from './tables.ts';
import type { DeclaredUnit, Ended } from './unit.ts';
import { askedBy, WorkingSet, type Asked, type Effect } from './workingSet.ts';

/** Units that share one transaction; bounds how long the first of them waits for its answer. */
export const DECLARED_UNITS_MAX = 64;

/** One transaction on one connection, as each database has it. */
export interface BatchLink extends Link {
  /** Writes the effects and commits; a throw says that nothing of them was kept. */
  write(effects: readonly Effect[], topics: readonly string[]): Promise<void>;
  /** Ends without a trace. */
  abandon(): Promise<void>;
}

export interface BatchParts {
  readonly ledger: LedgerMemory;
  /** Runs a batch in a transaction; `alone` from the first read on, when it lost a race before. */
  readonly within: <T>(work: (link: BatchLink) => Promise<T>, alone: boolean) => Promise<T>;
  /** Whether an error proves that nothing was kept and that the rows were to blame. */
  readonly isRefused: (error: unknown) => boolean;
  readonly report: (error: unknown) => void;
  /** Tells those in this process who listen; nothing where the database tells all. */
  readonly publish: (topic: string) => void;
  /** What the units need, when it was read before their turn. */
  readonly prefetched?: Prefetched;
  /** Hears of each batch that was written. */
  readonly wrote?: (set: WorkingSet) => void;
}

/**
 * The needs of a batch, read while the one before it was written: what that changed is taken from
 * its working set. Anything else that was written meanwhile is noticed by the guards of the write.
 */
export interface Prefetched {
  readonly asked: Asked;
  readonly row: Row | undefined;
  readonly follows: WorkingSet | undefined;
}

/** A unit that loses against others each time it is tried alone. */
const TRIES_MAX = 6;

/**
 * Runs units together. When the database refuses what they decided, because a row changed under
 * them or a rule of a table was broken, they run one by one, so that the cause of it fails alone.
 */
export async function runUnits(
  units: readonly DeclaredUnit<unknown>[],
  parts: BatchParts,
): Promise<readonly Ended[]> {
  const ended: (Ended | undefined)[] = units.map(() => undefined);
  const alone = (unit: DeclaredUnit<unknown>): boolean => aheadOf(unit, parts.ledger).length > 0;
  const together = units.filter((unit) => !alone(unit));
  if (together.length > 1) {
    const all = await tried(together, parts);
    together.forEach((unit, nth) => (ended[units.indexOf(unit)] = all?.[nth]));
  }
  const left = together.length > 1 ? afresh(parts) : parts;
  for (const [nth, unit] of units.entries()) ended[nth] ??= await runAlone(unit, left);
  return ended.map((each) => each ?? { ok: false, error: new Error('a unit was left out') });
}

async function runAlone(unit: DeclaredUnit<unknown>, parts: BatchParts): Promise<Ended> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [ended] = await runBatch([unit], attempt > 1 ? afresh(parts) : parts, attempt > 1);
      if (ended !== undefined) return ended;
    } catch (error) {
      if (attempt === TRIES_MAX || !parts.isRefused(error)) return { ok: false, error };
    }
  }
}

/** For units that are read anew. */
function afresh({ prefetched: _, ...parts }: BatchParts): BatchParts {
  return parts;
}

/** Undefined when the units have to go one by one. */
async function tried(
  units: readonly DeclaredUnit<unknown>[],
  parts: BatchParts,
): Promise<readonly Ended[] | undefined> {
  try {
    return await runBatch(units, parts);
  } catch (error) {
    if (parts.isRefused(error)) return undefined;
    return units.map(() => ({ ok: false, error }));
  }
}

async function runBatch(
  units: readonly DeclaredUnit<unknown>[],
  parts: BatchParts,
  alone = false,
): Promise<readonly Ended[]> {
  const ahead = units.flatMap((unit) => aheadOf(unit, parts.ledger));
  const { ended, set, isKept } = await parts.within(async (link) => {
    await makeAhead(link, ahead);
    const read = parts.prefetched ?? (await prefetch(link, units));
    const set = workingSet(read, link.dialect, parts.ledger);
    const ended = units.map((unit) => set.run(unit));
    const effects = [...set.effects(writeOrder), ...notedEffects(set.noted)];
    const isRefused = ahead.length > 0 && ended.some(({ ok }) => !ok);
    const isKept = effects.length > 0 && !isRefused;
    if (isKept) await link.write(effects, set.topics);
    else await link.abandon();
    return { ended, set: isRefused ? undefined : set, isKept };
  }, alone);
  const [first] = ended;
  if (set === undefined)
    return runBatch(
      units.map((unit) => refusing(unit, first)),
      parts,
    );
  parts.wrote?.(set);
  // What was abandoned took the rows that were made ahead along.
  if (isKept) for (const { table, key } of ahead) table.ahead?.learn(key, parts.ledger);
  for (const hook of set.hooks) {
    try {
      hook();
    } catch (error) {
      parts.report(error);
    }
  }
  for (const topic of set.topics) parts.publish(topic);
  return ended;
}

/** The same unit, refused as it was, once more without the rows that were made for it. */
function refusing(unit: DeclaredUnit<unknown>, ended: Ended | undefined): DeclaredUnit<unknown> {
  return {
    ...unit,
    needs: unit.needs.filter(({ table }) => table.ahead === undefined),
    decide() {
      throw ended?.ok === false ? ended.error : new Error('only a refused unit runs again');
    },
  };
}

function aheadOf({ needs }: DeclaredUnit<unknown>, ledger: LedgerMemory): readonly Need[] {
  return needs.filter(({ table, key }) => table.ahead?.isNeeded(key, ledger) === true);
}

async function makeAhead(link: Link, ahead: readonly Need[]): Promise<void> {
  for (const table of new Set(ahead.map((each) => each.table))) {
    const keys = ahead.filter((each) => each.table === table).map(({ key }) => key);
    await table.ahead?.make(link, keys);
  }
}

/**
 * Reads the needs of all units in one statement, a column for each table; on PostgreSQL after the
 * statement that locks, in the same breath.
 */
export async function prefetch(
  link: Link,
  units: readonly DeclaredUnit<unknown>[],
): Promise<Prefetched> {
  const asked = askedBy(units);
  return { asked, row: await readAsked(link, asked), follows: undefined };
}

const batchReads = openReads();

/** The row with a column for each table that was asked for; undefined when none was. */
export async function readAsked(
  link: Link,
  asked: Asked,
  reads: BatchReads = batchReads,
): Promise<Row | undefined> {
  const how = reads(asked);
  if (how === undefined) return undefined;
  const valuesOf = (tables: readonly AnyTable[]): readonly Value[] =>
    tables.map((table) => JSON.stringify([...(asked.get(table)?.values() ?? [])]));
  const { tables, read, locked, lock } = how;
  const [, [row]] = await Promise.all([
    link.dialect === 'postgres' && locked.length > 0 && link.rows(lock, valuesOf(locked)),
    link.rows(read, valuesOf(tables)),
  ]);
  return row;
}

function workingSet(
  { asked, row, follows }: Prefetched,
  dialect: Dialect,
  ledger: LedgerMemory,
): WorkingSet {
  const set = new WorkingSet(asked, dialect, ledger);
  for (const table of asked.keys()) set.load(table, cellOf(row, table));
  if (follows !== undefined) set.follow(follows);
  return set;
}

function cellOf(row: Row | undefined, { name }: AnyTable): unknown {
  return row?.[name];
}

/** What one unit did inside a transaction that is under way and not its own. */
export interface DecidedInside {
  readonly ended: Ended;
  readonly topics: readonly string[];
  readonly noted: readonly NotedEvent[];
  readonly hooks: readonly (() => void)[];
}

/**
 * Its topics, what it noted and its hooks are the caller's to pass on, because that transaction may be
 * taken back.
 */
export async function decideInside(
  link: Link,
  unit: DeclaredUnit<unknown>,
  ledger: LedgerMemory,
  write: (effects: readonly Effect[]) => Promise<void>,
): Promise<DecidedInside> {
  await makeAhead(link, aheadOf(unit, ledger));
  const set = workingSet(await prefetch(link, [unit]), link.dialect, ledger);
  const ended = set.run(unit);
  const effects = set.effects(writeOrder);
  if (effects.length > 0) await write(effects);
  return { ended, topics: set.topics, noted: set.noted, hooks: set.hooks };
}
