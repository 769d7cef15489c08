import { mustServe } from '../../db/postgresNodes.ts';
import type { Reader } from '../../db/store.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { inTime } from '../../workflows/kernel/inTime.ts';

const DATABASE_MS_MAX = 1_000;

/** Returns what was read, or undefined if the database is late, fails or only reads. */
export function readInTime<T>(
  { store }: Hub,
  work: (db: Reader) => Promise<T>,
): Promise<T | undefined> {
  const read = store.read(async (db) => {
    await mustServe(db);
    return work(db);
  });
  return inTime(
    read.catch(() => undefined),
    DATABASE_MS_MAX,
  );
}
