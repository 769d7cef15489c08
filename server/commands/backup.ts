import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUpDatabase, kindOf, restoreDatabase } from '../../db/backup/database.ts';
import { RestoreRefused } from '../../db/backup/snapshot.ts';
import { noteBackup } from '../../db/operator/backups.ts';
import { condition } from '../../db/operator/condition.ts';
import { readSnapshot } from '../../db/wallet/snapshot.ts';
import { instant } from '../../domain/instant.ts';
import { copyMissing, FILES, KEYS } from '../backup/folders.ts';
import { checkManifest, writeManifest } from '../backup/manifest.ts';
import { faultsOf } from '../backup/verify.ts';
import { readSettings } from '../boot/config.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { booksOf, textOf } from './audit.ts';
import { databaseExists, inDatabase, type Command, type ExitCode, type Print } from './command.ts';

/**
 * `hubctl backup FOLDER`, of a hub that may be running. Contents of files are copied before and
 * after the database, whose snapshot may name new ones. A reader of the folder can sign as the hub.
 */
export const backup: Command = async ([folder, ...more], env, print) => {
  if (folder === 'verify' && more.length === 1) return verified(String(more[0]), print);
  if (folder === undefined || more.length > 0) return undefined;
  const settings = readSettings(env);
  if (folder === '--noted') return noted(settings, Date.now(), print);
  const { databaseUrl, dataDir, filesS3 } = settings;
  if (!databaseExists(databaseUrl, print)) return 2;
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    print(`${folder} is not empty; name a folder of its own for each backup.\n`);
    return 2;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const began = Date.now();
  const madeAt = new Date(began).toISOString();
  const hasFiles = filesS3 === undefined;
  const copyFiles = (): Promise<number> =>
    hasFiles ? copyMissing(join(dataDir, FILES), join(folder, FILES)) : Promise.resolve(0);
  await copyFiles();
  const snapshot = await backUpDatabase(databaseUrl, folder);
  await copyFiles();
  const keys = await copyMissing(join(dataDir, KEYS), join(folder, KEYS));
  const facts = { madeAt, database: kindOf(databaseUrl), hasFiles, ...snapshot };
  const { parts } = await writeManifest(folder, facts);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const files = parts.filter(({ path }) => path.startsWith(`${FILES}/`)).length;
  print(`${folder}: the database, ${keys} keys and ${files} files, ${bytes} bytes
${hasFiles ? '' : 'The contents of files are in the bucket, which this backup leaves out.\n'}\
It holds the hub's secret keys. hubctl restore ${folder} puts it back and recounts the books.
`);
  return noted(settings, began, print);
};

/** Restores a backup into a folder that it removes; says what the backup lacks and the time it took. */
async function verified(folder: string, print: Print): Promise<ExitCode> {
  const began = performance.now();
  const seconds = (from: number): string => ((performance.now() - from) / 1_000).toFixed(1);
  const manifest = await checkManifest(folder);
  if (typeof manifest === 'string') {
    print(`${manifest}\n`);
    return 2;
  }
  const place = await mkdtemp(join(tmpdir(), `hub-verify-${process.pid}-`));
  try {
    const path = join(place, 'hub.sqlite');
    await restoreDatabase(`sqlite:${path}`, folder, manifest, () => Promise.resolve(true));
    const restored = seconds(began);
    const from = performance.now();
    const { books, faults } = await readSnapshot(`sqlite:${path}`, async (db) => ({
      books: await booksOf(db),
      faults: await faultsOf(db, folder, manifest.hasFiles),
    }));
    print(textOf(books));
    for (const fault of faults) print(`${fault}\n`);
    const isGood = books.differences.length === 0 && faults.length === 0;
    print(`The backup of ${manifest.madeAt} is ${isGood ? 'good' : 'not good'}: \
${manifest.parts.length} parts read and restored in ${restored} s, recounted in ${seconds(from)} s.
`);
    return isGood ? 0 : 1;
  } catch (error) {
    if (!(error instanceof RestoreRefused)) throw error;
    print(`${error.message}\n`);
    return 2;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/**
 * Notes that a backup was made, by which its age is watched. The tables of another version are left
 * alone: a backup before an upgrade must not begin it.
 */
async function noted(settings: Settings, at: number, print: Print): Promise<ExitCode> {
  const { databaseUrl } = settings;
  if (!databaseExists(databaseUrl, print)) return 2;
  const { origin, waiting } = await readSnapshot(databaseUrl, condition);
  if (origin !== 'this' || waiting.length > 0) {
    print('Its age is not watched, because another version made the tables.\n');
    return 0;
  }
  return inDatabase(settings, print, async (store) => {
    await store.decide(noteBackup(instant(at)));
    return 0 as const;
  });
}
