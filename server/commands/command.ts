import { existsSync } from 'node:fs';
import { sqlitePath } from '../../db/databaseUrl.ts';
import { openStore, type Store } from '../../db/store.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';

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

/** Opens the database of the settings for a command; 2, and said, when there is none. */
export async function inDatabase<Code extends ExitCode>(
  { databaseUrl, databaseDirectUrl: directUrl }: Settings,
  print: Print,
  work: (store: Store) => Promise<Code>,
): Promise<Code | 2> {
  if (!databaseExists(databaseUrl, print)) return 2;
  const store = await openStore(databaseUrl, { directUrl });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Prints the outcome of an operator's decision, or why it cannot be made, and gives its exit code. */
export function printed(
  decided: { readonly done: string } | { readonly refused: string },
  print: Print,
): 0 | 1 {
  print(`${'done' in decided ? decided.done : decided.refused}\n`);
  return 'done' in decided ? 0 : 1;
}

/** Escapes an untrusted text, so that nothing in it drives a terminal. */
export function printable(text: string): string {
  return JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
