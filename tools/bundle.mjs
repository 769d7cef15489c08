// Bundles each program with its packages: reading thirty files, not 1,500, halves the start.
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import esbuild from 'esbuild';

/** Native code, what stands in files of its own, and the databases that knex knows beside ours. */
const OUTSIDE = [
  'better-sqlite3',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'pino',
  'pino-pretty',
  'sqlite3',
  'tedious',
];
/** 3 MB that are small already, and are read by the function. */
const VALIDATORS = 'generated/validators.js';
/** Stands for the way from a written file to the root until it is known where that file lies. */
const ROOT_MARK = 'ROOT-OF-THE-PROGRAM';
/** The `require` with which CommonJS packages load Node's modules, under a name of its own. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module';
const require = requireOf(import.meta.url);`;

/** How a program for Node is bundled, with pieces for what is imported later. */
export const NODE_PROGRAM = {
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  legalComments: 'none',
  logLevel: 'warning',
  banner: { js: REQUIRE },
};

/** Writes `entries` (below `root`) and their pieces; a file keeps its own address below `root`. */
export async function bundle({ root, entries, folder, extension = '.js' }) {
  const { outputFiles } = await esbuild.build({
    ...NODE_PROGRAM,
    absWorkingDir: root,
    entryPoints: entries.map((path) => join(root, path)),
    outbase: root,
    outdir: folder,
    write: false,
    outExtension: { '.js': extension },
    chunkNames: 'pieces/[name]-[hash]',
    external: OUTSIDE,
    sourcemap: true,
    sourcesContent: false,
    plugins: [keepAddresses(root, entries), parseTables],
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, escaped(text.replaceAll(ROOT_MARK, relative(dirname(path), root))));
  }
}

/**
 * V8 keeps a source in twice the memory for one character above U+00FF. esbuild leaves them in patterns
 * and comments, where an escape means the same.
 */
function escaped(text) {
  const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replaceAll(/[^\0-\xff]/g, escape);
}

/** A table of JSON is read quicker by JSON.parse than as the object that it would be written as. */
const parseTables = {
  name: 'parse tables',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      return { contents: `module.exports = JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};

/** A program's own entry is asked for its address alone, as the file that was started. */
function keepAddresses(root, entries) {
  const entryPaths = new Set(entries.map((path) => join(root, path)));
  return {
    name: 'keep addresses',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\/validators\.js$/ }, ({ path, resolveDir }) =>
        join(resolveDir, path) === join(root, VALIDATORS)
          ? { path: `${ROOT_MARK}/${VALIDATORS}`, external: true }
          : undefined,
      );
      onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
        if (path.includes('/node_modules/') || entryPaths.has(path)) return undefined;
        const source = await readFile(path, 'utf8');
        return {
          contents: source.replaceAll('import.meta.url', addressOf(relative(root, path))),
          loader: path.endsWith('.ts') ? 'ts' : 'js',
        };
      });
    },
  };
}

const addressOf = (path) =>
  `new URL(${JSON.stringify(`${ROOT_MARK}/${path}`)}, import.meta.url).href`;
