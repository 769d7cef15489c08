import { existsSync, rmSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../tools/bundle.mjs';

/** A program as one file, since kill suites start hundreds; cached by the digest of the tree. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PLACE = join(ROOT, 'node_modules/.cache/hub-tests/programs');
const made = new Map<string, Promise<string>>();

/** The path of the one file; `path` is the program's below the root of the project. */
export function program(path: string): Promise<string> {
  const known = made.get(path) ?? make(path);
  made.set(path, known);
  return known;
}

async function make(path: string): Promise<string> {
  const tree = process.env['TESTS_TREE'];
  // The whole path: two programs may be called main.
  const folder = join(PLACE, `${tree ?? process.pid}-${path.replaceAll('/', '-')}`);
  const place = join(folder, path.replace(/\.ts$/, '.mjs'));
  if (tree === undefined)
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  else if (existsSync(place)) return place;
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await bundle({ root: ROOT, entries: [path], folder: draft, extension: '.mjs' });
  // Another worker may have made the same: every process that starts it finds a whole one.
  await rename(draft, folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(draft, { recursive: true });
  });
  return place;
}
