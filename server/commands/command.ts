import { existsSync } from 'node:fs';
import { sqlitePath } from '../../db/databaseUrl.ts';
import { openStore, type Store } from '../../db/store.ts';
import type { Settings } from '../hub/settings.ts';

/** An operator's command. Exit codes: 0 done, 1 the answer is no, 2 it could not be done. */
export type Environment = Readonly<Record<string, string | undefined>>;
export type Print = (text: string) => void;
export type ExitCode = 0 | 1 | 2;
/** Does the command with the words behind its name; undefined when it does not take such words. */
export type Command = (
  words: readonly string[],
  env: Environment,
  print: Print,
) => Promise<ExitCode | undefined>;

/** False, and said, when the database is a file that is not there: a command makes none. */
export function databaseExists(databaseUrl: string, print: Print): boolean {
  const path = sqlitePath(databaseUrl);
  if (path === undefined || existsSync(path)) return true;
  print(`There is no database at ${path}; HUB_DATABASE_URL names another.\n`);
  return false;
}

/** The database that the settings name, for a command; undefined, and said, when there is none. */
export async function openDatabase(
  { databaseUrl, databaseDirectUrl: directUrl }: Settings,
  print: Print,
): Promise<Store | undefined> {
  return databaseExists(databaseUrl, print) ? openStore(databaseUrl, { directUrl }) : undefined;
}
