import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { sqlitePath } from '../../db/databaseUrl.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { StartError } from '../../workflows/kernel/startError.ts';

/** Only the hub's own user reads its database. */
const PRIVATE = 0o600;

/** Makes the folders of the data and of SQLite's file. @throws StartError */
export function makeDataFolder({ databaseUrl, dataDir }: Settings): void {
  makeFolder(dataDir, 'HUB_DATA_DIR');
  const path = sqlitePath(databaseUrl);
  if (path === undefined || path === ':memory:') return;
  makeFolder(dirname(path), 'HUB_DATABASE_URL');
  if (existsSync(path) && !statSync(path).isFile()) {
    throw new StartError(`${path} is no file; set HUB_DATABASE_URL to one that is or can be made`);
  }
  // SQLite gives the files beside it the rights of this one.
  closeSync(openSync(path, 'a', PRIVATE));
  chmodSync(path, PRIVATE);
}

/** One level after the other: Node's own recursion does not end where a file system takes no folder. */
function makeFolder(folder: string, setting: string): void {
  try {
    const missing: string[] = [];
    let above = resolve(folder);
    for (; !existsSync(above) && !isLink(above); above = dirname(above)) missing.unshift(above);
    for (const each of missing) makeOne(each);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const why = `the folder ${folder} cannot be made (${code})`;
    throw new StartError(`${why}; set ${setting} to a place where the hub may make one`);
  }
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  throw new StartError(`${folder} is no folder; set ${setting} to one, or move it away`);
}

function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process of the same hub may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A link that leads nowhere is there, and yet does not exist. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
