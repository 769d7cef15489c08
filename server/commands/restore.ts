import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { restoreDatabase, sqliteOf } from '../../db/backup/database.ts';
import { depositAddressCount } from '../../db/rails/depositAddresses.ts';
import { RestoreRefused } from '../../db/backup/snapshot.ts';
import { readSnapshot } from '../../db/wallet/snapshot.ts';
import { parseAccount } from '../../domain/account.ts';
import { copyMissing, FILES, KEYS } from '../backup/folders.ts';
import { checkManifest, type Manifest } from '../backup/manifest.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { takeOut } from '../backup/takeOut.ts';
import { readSettings } from '../boot/config.ts';
import { booksOf, textOf } from './audit.ts';
import { printable, type Command, type Environment, type ExitCode, type Print } from './command.ts';
import { optionsOf } from './options.ts';

/**
 * `hubctl restore FOLDER` puts a backup into an empty database and data folder. The audit is its
 * last step: if the books do not balance, nothing stays.
 */
export const restore: Command = async ([folder, ...more], env, print) => {
  const options = optionsOf(more, ['--account', '--into']);
  if (folder === undefined || options === undefined || options.size === 1) return undefined;
  const manifest = await checkManifest(folder);
  if (typeof manifest === 'string') {
    print(`${manifest}\n`);
    return 2;
  }
  try {
    return options.size === 0
      ? await restoreFrom(folder, manifest, env, print)
      : await takeOutOf(folder, manifest, options, print);
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

/** Takes notes and files of one account out of a backup, beside whatever hub runs. */
async function takeOutOf(
  folder: string,
  manifest: Manifest,
  options: ReadonlyMap<string, string>,
  print: Print,
): Promise<ExitCode> {
  const [name = '', into = ''] = [options.get('--account'), options.get('--into')];
  const owner = parseAccount(name);
  if (owner === undefined) throw new RestoreRefused(`${name} is no account: give a key or key:….`);
  if (existsSync(into) && (await readdir(into)).length > 0) {
    throw new RestoreRefused(`${into} is not empty; name a folder of its own.`);
  }
  await mkdir(into, { recursive: true, mode: 0o700 });
  const place = await mkdtemp(join(into, 'reading-'));
  const path = join(place, 'hub.sqlite');
  try {
    await sqliteOf(folder, manifest, path, ['memory_spaces', 'memory_grants', 'notes', 'files']);
    const taken = await readSnapshot(`sqlite:${path}`, (db) =>
      takeOut(db, owner, { backup: folder, into, now: systemClock.now() }),
    );
    const { spaces, notes, files, missing } = taken;
    for (const key of missing) print(`The contents of ${printable(key)} are not in the backup.\n`);
    print(`${into}: ${spaces} spaces with ${notes} notes and ${files} files, as of ${manifest.madeAt}.
Nothing of the hub was changed. The owner puts them back: each file of notes/ with POST
/api/v1/memory/spaces/{id}/import, 100 lines a call, or at /app/account/storage, and each of files/ with POST /api/v1/files.
`);
    return missing.length === 0 ? 0 : 1;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
