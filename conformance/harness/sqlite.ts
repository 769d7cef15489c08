import { rmSync } from 'node:fs';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../db/store.ts';

let template: Promise<string> | undefined;

/** Puts a copy of a database with the hub's tables at a new path; nothing migrates. */
export async function freshSqlite(path: string): Promise<void> {
  template ??= makeTemplate();
  await copyFile(await template, path);
}

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-tables-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'hub.sqlite');
  await (await openStore(`sqlite:${path}`)).close();
  return path;
}
