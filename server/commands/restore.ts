import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { restoreDatabase } from '../../db/backup/database.ts';
import { depositAddressCount } from '../../db/rails/depositAddresses.ts';
import { RestoreRefused } from '../../db/backup/snapshot.ts';
import { copyMissing, FILES, KEYS } from '../backup/folders.ts';
import { checkManifest, type Manifest } from '../backup/manifest.ts';
import { readSettings } from '../config.ts';
import { booksOf, textOf } from './audit.ts';
import type { Command, Environment, ExitCode, Print } from './command.ts';

/**
 * `hubctl restore FOLDER` puts a backup into an empty database and data folder. The audit is its
 * last step: if the books do not balance, nothing stays.
 */
export const restore: Command = async ([folder, ...more], env, print) => {
  if (folder === undefined || more.length > 0) return undefined;
  const manifest = await checkManifest(folder);
  if (typeof manifest === 'string') {
    print(`${manifest}\n`);
    return 2;
  }
  try {
    return await restoreFrom(folder, manifest, env, print);
  } catch (error) {
    if (!(error instanceof RestoreRefused)) throw error;
    print(`${error.message}\n`);
    return 2;
  }
};

async function restoreFrom(
  folder: string,
  manifest: Manifest,
  env: Environment,
  print: Print,
): Promise<ExitCode> {
  const { databaseUrl, dataDir } = readSettings(env);
  for (const name of [KEYS, FILES]) {
    const path = join(dataDir, name);
    if (existsSync(path) && (await readdir(path)).length > 0) {
      throw new RestoreRefused(`${path} is not empty; move it away first.`);
    }
  }
  // Keys and files first: once the database is there, a hub may start on it.
  for (const name of [KEYS, FILES]) await copyMissing(join(folder, name), join(dataDir, name));
  let addresses = 0;
  const accepted = await restoreDatabase(databaseUrl, folder, manifest, async (db) => {
    const books = await booksOf(db);
    print(textOf(books));
    addresses = await depositAddressCount(db);
    return books.differences.length === 0;
  });
  if (!accepted) {
    for (const name of [KEYS, FILES])
      await rm(join(dataDir, name), { recursive: true, force: true });
    print('Nothing was restored.\n');
    return 1;
  }
  print(`Deposit addresses: ${addresses} are of the accounts that had them. An address that was made after the
backup is given to no other account: its path is the name of its account, which gets the same one when it
asks, with what it was paid meanwhile.
Restored as of ${manifest.madeAt}; hubctl start runs it.
`);
  return 0;
}
