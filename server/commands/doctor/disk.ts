import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { sqlitePath } from '../../../db/databaseUrl.ts';
import type { Settings } from '../../../workflows/kernel/settings.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const FAIL_BYTES = 100 * 1_048_576;
const WARN_BYTES = 2_048 * 1_048_576;

/** Room and rights in the folders that the hub writes. */
export async function diskFindings({
  dataDir,
  databaseUrl,
}: Settings): Promise<readonly Finding[]> {
  const path = sqlitePath(databaseUrl);
  const isFile = path !== undefined && path !== ':memory:';
  const folders = new Set([dataDir, ...(isFile ? [dirname(path)] : [])].map(existing));
  return Promise.all([...folders].map(folderFinding));
}

async function folderFinding(folder: string): Promise<Finding> {
  try {
    await access(folder, constants.W_OK);
  } catch {
    return fail('disk', `${folder} is not writable`, "Give the hub's user that right.");
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${folder} has ${Math.floor(free / 1_048_576)} MB free`;
  if (free < FAIL_BYTES) return fail('disk', text, 'Make room before the hub stops.');
  return free < WARN_BYTES ? warn('disk', text, 'Make room.') : ok('disk', text);
}

/** The folder, or the nearest one above that exists: the hub creates the rest. */
function existing(folder: string): string {
  let at = resolve(folder);
  while (!existsSync(at)) at = dirname(at);
  return at;
}
