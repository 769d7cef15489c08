/**
 * Compiles TypeScript, cached by the content of the source, so no entry is ever stale. Stack traces
 * name the lines of the source by the maps inside.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/hub-tests');
const CODE = join(CACHE, 'code');
/** The version of the options below: part of the cache key, so raise it with each change. */
const FORM = '3';

const optionsFor = (path) => ({
  loader: path.endsWith('x') ? 'tsx' : 'ts',
  format: 'esm',
  target: 'node20.19',
  sourcemap: 'inline',
  sourcesContent: false,
  sourcefile: path,
  tsconfigRaw: {
    compilerOptions: { verbatimModuleSyntax: true, jsx: 'react-jsx', jsxImportSource: 'preact' },
  },
});

/** Loaded when something is new, which is seldom. */
const esbuild = () => createRequire(import.meta.url)('esbuild');

let isReady = false;

function keep(place, code) {
  if (!isReady) mkdirSync(CODE, { recursive: true });
  isReady = true;
  // Two processes may write the same entry: each sees a whole one.
  const draft = `${place}.${process.pid}.${Math.random()}`;
  writeFileSync(draft, code);
  renameSync(draft, place);
}

function placeOf(path, source) {
  const digest = createHash('sha256').update(FORM).update(path).update('\0').update(source);
  return join(CODE, `${digest.digest('hex').slice(0, 40)}.js`);
}

function kept(place) {
  try {
    return readFileSync(place, 'utf8');
  } catch {
    return undefined;
  }
}

export function translated(path) {
  const source = readFileSync(path, 'utf8');
  const place = placeOf(path, source);
  const known = kept(place);
  if (known !== undefined) return known;
  const { code } = esbuild().transformSync(source, optionsFor(path));
  keep(place, code);
  return code;
}

/** Before a run: what is new is translated at once. Answers a digest of all that the sources say. */
export async function translateAll(paths) {
  const fresh = [];
  const tree = createHash('sha256');
  for (const path of paths) {
    const source = readFileSync(path, 'utf8');
    const place = placeOf(path, source);
    tree.update(place);
    if (!existsSync(place)) fresh.push({ path, source, place });
  }
  await Promise.all(
    fresh.map(async ({ path, source, place }) => {
      // A file that is no TypeScript fails the file that imports it.
      const made = await esbuild()
        .transform(source, optionsFor(path))
        .catch(() => undefined);
      if (made !== undefined) keep(place, made.code);
    }),
  );
  return tree.digest('hex').slice(0, 16);
}

const isOurs = (url) =>
  url.startsWith('file:') && /\.tsx?$/.test(url) && !url.includes('/node_modules/');

function moduleOf(url) {
  return { format: 'module', source: translated(fileURLToPath(url)), shortCircuit: true };
}

/** For `registerHooks` (Node 22.15 and later), in the thread that imports. */
export function loadSync(url, context, next) {
  return isOurs(url) ? moduleOf(url) : next(url, context);
}

/** For `register` (Node 20), in a thread of its own. */
export async function load(url, context, next) {
  return isOurs(url) ? moduleOf(url) : next(url, context);
}
