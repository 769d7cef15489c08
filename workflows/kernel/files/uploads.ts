import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../systemClock.ts';

/** Removes uploads whose process died before; by the machine's clock, like their times. */
export async function sweepUploads(folder: string, olderMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (systemClock.now() - mtimeMs > olderMs) await rm(path, { force: true });
  }
}
