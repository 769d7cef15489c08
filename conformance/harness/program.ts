import { existsSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type PluginBuild } from 'esbuild';

/**
 * A program of the sources as one file, which starts in half of the time that its sources take: the
 * suites that kill and restart start hundreds. It lies where the packages that it imports are
 * found, and is kept under the digest of the tree that a run of `npm test` names.
 */
const ROOT = new URL('../../', import.meta.url);
const PLACE = fileURLToPath(new URL('node_modules/.cache/hub-tests/programs', ROOT));
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
  const name = path.replaceAll('/', '-').replace(/\.ts$/, '.mjs');
  await mkdir(PLACE, { recursive: true });
  const place = join(PLACE, `${tree ?? process.pid}-${name}`);
  if (tree === undefined) process.once('exit', () => rmSync(place, { force: true }));
  else if (existsSync(place)) return place;
  const entry = fileURLToPath(new URL(path, ROOT));
  const draft = `${place}.${process.pid}`;
  await build({
    entryPoints: [entry],
    outfile: draft,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    target: 'node20.19',
    plugins: [{ name: 'own-address', setup: (plugin) => keepAddresses(plugin, entry) }],
  });
  // Another worker may have made the same: whoever starts it finds a whole one.
  await rename(draft, place);
  return place;
}

/**
 * Files find what lies beside them by their own address, which must stay that of the source. The
 * program itself asks by its address alone whether it is what was started.
 */
function keepAddresses(plugin: PluginBuild, entry: string): void {
  plugin.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
    const source = await readFile(path, 'utf8');
    const address = path === entry ? 'import.meta.url' : JSON.stringify(pathToFileURL(path).href);
    const loader = path.endsWith('.ts') ? 'ts' : 'js';
    return { contents: source.replaceAll('import.meta.url', address), loader };
  });
}
