import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpDatabase, kindOf, restoreDatabase } from '../../db/backup/database.ts';
import { RestoreRefused } from '../../db/backup/snapshot.ts';
import { shownUrl } from '../../db/databaseUrl.ts';
import { readSettings } from '../boot/config.ts';
import { booksOf, textOf } from './audit.ts';
import { databaseExists, type Command } from './command.ts';

/**
 * `hubctl copy --to URL` copies the database into an empty one, also of the other kind. Keys and
 * files stay in HUB_DATA_DIR. A hub that goes on meanwhile writes what is not in the copy.
 */
export const copy: Command = async ([option, to, ...more], env, print) => {
  if (option !== '--to' || to === undefined || more.length > 0) return undefined;
  const { databaseUrl, dataDir } = readSettings(env);
  // Refuses what is no address of a database, in the words of the setting.
  const { databaseUrl: target } = readSettings({ HUB_DATABASE_URL: to });
  if (!databaseExists(databaseUrl, print)) return 2;
  await mkdir(dataDir, { recursive: true });
  const folder = await mkdtemp(join(dataDir, 'copying-'));
  const began = Date.now();
  try {
    const snapshot = {
      database: kindOf(databaseUrl),
      ...(await backUpDatabase(databaseUrl, folder)),
    };
    const accepted = await restoreDatabase(target, folder, snapshot, async (db) => {
      const books = await booksOf(db);
      print(textOf(books));
      return books.differences.length === 0;
    });
    if (!accepted) {
      print('Nothing was copied.\n');
      return 1;
    }
  } catch (error) {
    if (!(error instanceof RestoreRefused)) throw error;
    print(`${error.message}\n`);
    return 2;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  print(`Copied to ${shownUrl(target)} as of ${new Date(began).toISOString()}, in ${seconds(began)} s.
Set HUB_DATABASE_URL to it and start the hub, with the same HUB_DATA_DIR. What another hub writes into
the old database from now on is not in the copy.
`);
  return 0;
};

const seconds = (began: number): string => ((Date.now() - began) / 1_000).toFixed(1);
