import { mustServe } from '../../db/postgresNodes.ts';
import type { Reader } from '../../db/store.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';

const DATABASE_MS_MAX = 1_000;

/** Returns what was read, or undefined if the database is late, fails or only reads. */
export async function readInTime<T>(
  { store }: Hub,
  work: (db: Reader) => Promise<T>,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), DATABASE_MS_MAX);
  });
  const read = store.read(async (db) => {
    await mustServe(db);
    return work(db);
  });
  try {
    return await Promise.race([read.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
