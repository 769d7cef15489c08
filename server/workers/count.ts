import { availableParallelism, totalmem } from 'node:os';
import { sqlitePath } from '../../db/databaseUrl.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { StartError } from '../../workflows/kernel/startError.ts';

/** The most that the setting takes; `auto` stays within it too. */
export const WORKERS_MAX = 64;
/** The share of the machine's memory that the heaps of all workers have together. */
const HEAP_SHARE = 0.75;
const HEAP_MB_MIN = 256;
const MB = 1_048_576;

type Known = Pick<Settings, 'workers' | 'databaseUrl' | 'worldsMax'>;

/**
 * How many workers a parent starts; 0 when the hub is this one process. SQLite has one writer, so
 * `auto` means one process there.
 * @throws StartError
 */
export function workersOf({ workers, databaseUrl, worldsMax }: Known): number {
  if (workers === undefined) return 0;
  const isSqlite = sqlitePath(databaseUrl) !== undefined;
  const count = workers === 'auto' && !isSqlite ? coresOf() : workers === 'auto' ? 1 : workers;
  if (isSqlite && count > 1) {
    throw new StartError(
      `HUB_WORKERS=${count} needs PostgreSQL, since SQLite has one writer; set HUB_DATABASE_URL to postgres://USER:PASSWORD@HOST/NAME, or leave HUB_WORKERS out`,
    );
  }
  if (count > 1 && worldsMax > 0) {
    throw new StartError(
      `HUB_TEST_WORLDS needs one process, since a test world is in the memory of one; set HUB_TEST_WORLDS=0 or leave HUB_WORKERS=${workers} out`,
    );
  }
  return isSqlite ? 0 : count;
}

function coresOf(): number {
  return Math.min(availableParallelism(), WORKERS_MAX);
}

/** Megabytes of the heap of each of several workers, so that all of them fit into the memory. */
export function heapMbOf(count: number, memory = memoryOf()): number {
  return Math.max(HEAP_MB_MIN, Math.floor((memory * HEAP_SHARE) / count / MB));
}

/** A container's limit where there is one. Without one the system names an absurd number, or 0. */
function memoryOf(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
