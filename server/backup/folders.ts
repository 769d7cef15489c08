import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Keys and contents of files: the folders beside the database, whose files never change. */
export const KEYS = 'keys';
export const FILES = 'files';
const OWNER_ONLY = 0o600;

/** Copies what is not there yet; answers how many files. What vanishes meanwhile is left out. */
export async function copyMissing(from: string, to: string): Promise<number> {
  let copied = 0;
  for (const name of await namesIn(from)) {
    const target = join(to, name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    try {
      await copyFile(join(from, name), target, constants.COPYFILE_EXCL);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' || code === 'ENOENT') continue;
      throw error;
    }
    await chmod(target, OWNER_ONLY);
    copied += 1;
  }
  return copied;
}

/** Paths of the files below a folder; none when there is no such folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
