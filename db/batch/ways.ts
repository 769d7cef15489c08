import { runHooks } from '../unitOfWork.ts';
import type { Endings, Written } from './attempts.ts';
import { runBatch, type BatchParts } from './batch.ts';
import { runFree } from './free.ts';
import { runsOf } from './steady.ts';
import type { Ended, Transaction } from './transaction.ts';

/** A unit that loses against others each time it is tried alone. */
const TRIES_MAX = 6;

/**
 * Runs units in a batch: without a lock first, where the database has that way; with locks, if
 * another process changed a row meanwhile; and singly, if the database refuses the batch, so that
 * only the cause fails.
 */
export async function runUnits(
  units: readonly Transaction<unknown>[],
  parts: BatchParts,
): Promise<readonly Ended[]> {
  const free = await triedFreely(units, parts);
  const together = free ?? (units.length > 1 ? await tried(units, parts) : undefined);
  const left = units.length > 1 ? readingAll(parts) : parts;
  const ended: Ended[] = [];
  for (const [nth, unit] of units.entries()) {
    ended.push(together?.[nth] ?? (await runAlone(unit, left, free !== undefined)));
  }
  return ended;
}

async function runAlone(
  unit: Transaction<unknown>,
  parts: BatchParts,
  mayBeFree: boolean,
): Promise<Ended> {
  const [free] = (mayBeFree ? await triedFreely([unit], parts) : undefined) ?? [];
  if (free !== undefined) return free;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const left = attempt > 1 ? readingAll(parts) : parts;
      const alone = attempt > (parts.recall === undefined ? 1 : 2);
      const [ended] = concluded([unit], await runBatch([unit], left, alone), parts);
      if (ended !== undefined) return ended;
    } catch (error) {
      if (attempt === TRIES_MAX || !parts.isRefused(error)) return { ok: false, error };
    }
  }
}

/** The same without rows that are known from before. */
function readingAll({ prefetched: _, recall: __, ...parts }: BatchParts): BatchParts {
  return parts;
}

/** Undefined when the units have to go another way. */
async function triedFreely(
  units: readonly Transaction<unknown>[],
  parts: BatchParts,
): Promise<Endings | undefined> {
  const { free } = parts;
  if (free?.calm.is() !== true) return undefined;
  for (const mayRecall of [true, false]) {
    try {
      const written = await runFree(units, { ...parts, free }, mayRecall);
      if (written === undefined) return undefined;
      free.calm.ended(false);
      return concluded(units, written, parts);
    } catch (error) {
      if (!parts.isRefused(error)) return failed(units, error);
      const table = staleTableOf(error);
      if (table !== undefined) parts.passCounts.addStale(table);
    }
  }
  free.calm.ended(true);
  return undefined;
}

/** The table whose row was not as a batch had decided on it; undefined after another refusal. */
function staleTableOf(error: unknown): string | undefined {
  return error instanceof Error && 'table' in error && typeof error.table === 'string'
    ? error.table
    : undefined;
}

/** Undefined when the units have to go one by one. */
async function tried(
  units: readonly Transaction<unknown>[],
  parts: BatchParts,
  alone = false,
): Promise<Endings | undefined> {
  try {
    return concluded(units, await runBatch(units, parts, alone), parts);
  } catch (error) {
    if (!parts.isRefused(error)) return failed(units, error);
    if (parts.recall !== undefined) return tried(units, readingAll(parts));
    const mayRunAgain = !alone && parts.isRace?.(error) === true;
    return mayRunAgain ? tried(units, readingAll(parts), true) : undefined;
  }
}

function failed(units: readonly unknown[], error: unknown): Endings {
  return units.map((): Ended => ({ ok: false, error }));
}

/** Does what follows from a batch that was written, and returns how its units ended. */
function concluded(
  units: readonly Transaction<unknown>[],
  { endings, set }: Written,
  { report, publish, wrote, passCounts }: BatchParts,
): Endings {
  wrote?.(set);
  runHooks(set.hooks, report);
  for (const topic of set.topics) publish(topic);
  for (const [nth, unit] of units.entries()) {
    if (endings[nth] !== undefined) passCounts.add(unit.name ?? 'other', runsOf(unit));
  }
  return endings;
}
