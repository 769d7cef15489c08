// Builds clients/web into dist/web: one script for the frame, one piece per page, all with hashed
// names, and a shell per address that names its pieces; compressed so that the hub never has to.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import esbuild from 'esbuild';
import { compactTable } from './compactTable.mjs';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'clients/web');
/** Compressed bytes of script that the first page loads. */
const FIRST_PAGE_BYTES_MAX = 40 * 1024;

const compressed = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

function keep(path, bytes) {
  const small = compressed(bytes);
  writeFileSync(path, bytes);
  writeFileSync(`${path}.br`, small);
  return small.length;
}

/** A piece with those that it imports as soon as it is there. */
function withImports(outputs, entry) {
  const found = new Set();
  const add = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of outputs[path].imports) {
      if (kind === 'import-statement') add(next);
    }
  };
  add(entry);
  return [...found];
}

/** The addresses of the pages, from the one table that the pages read themselves. */
async function pageAt() {
  const { code } = await esbuild.transform(readFileSync(join(source, 'routes.ts'), 'utf8'), {
    loader: 'ts',
    format: 'esm',
  });
  const { PAGE_AT } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return Object.entries(PAGE_AT);
}

/**
 * The bundler makes a piece for each set of entries that share a module. So every page imports the
 * frame, and all that the frame needs is one piece, not one for each set of pages that needs it too.
 */
const oneFrame = {
  name: 'one frame',
  setup({ onLoad }) {
    onLoad({ filter: /clients\/web\/pages\/\w+\.tsx$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\nimport '../app.tsx';`,
      loader: 'tsx',
    }));
  },
};

/** A file name for an address: `work/*` is the one item below `work`, `account/storage` a page. */
const shellName = (address) => `${address.replace('/*', '.item').replace('/', '.')}.html`;

/**
 * Pages that another origin serves name the hub, and have its policy with them, since no header of
 * the hub comes along. `frame-ancestors` holds as a header alone: that origin has to send it.
 */
function elsewhere(hub) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${hub}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="hub" content="${hub}" />`;
}

/** Into a folder; `hub` is the origin of the hub when the pages are served by another one. */
export async function buildWeb(out = join(root, 'dist/web'), { hub } = {}) {
  const started = Date.now();
  const assets = join(out, 'assets');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(assets, { recursive: true });
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    legalComments: 'none',
    logLevel: 'warning',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [await compactTable(), oneFrame],
    entryPoints: [join(source, 'main.tsx'), join(source, 'style.css')],
    entryNames: '[name]-[hash]',
    chunkNames: 'piece-[hash]',
    outdir: assets,
  });
  const sizes = new Map();
  for (const { path, contents } of outputFiles) {
    sizes.set(relative(root, path), keep(path, contents));
  }
  const entryOf = (name) =>
    Object.keys(metafile.outputs).find((path) => basename(path).startsWith(`${name}-`));
  const [script, style] = [entryOf('main'), entryOf('style')];
  const pieces = withImports(metafile.outputs, script);
  const shell = readFileSync(join(source, 'shell.html'), 'utf8')
    .replace('{script}', `/app/assets/${basename(script)}`)
    .replace('{style}', `/app/assets/${basename(style)}`)
    .replace(
      / *\{elsewhere\}\n/,
      hub === undefined ? '' : `    ${elsewhere(new URL(hub).origin)}\n`,
    );
  /** Preloads every module of the first view, so that one round trip fetches them all. */
  const shellOf = (needed) => {
    const preloads = needed
      .filter((path) => path !== script)
      .map((path) => `<link rel="modulepreload" href="/app/assets/${basename(path)}" />`);
    return Buffer.from(shell.replace('{preloads}', preloads.join('\n    ')));
  };
  mkdirSync(join(out, 'shells'));
  let first = 0;
  for (const [address, page] of await pageAt()) {
    const entry = Object.keys(metafile.outputs).find((path) =>
      metafile.outputs[path].entryPoint?.endsWith(`/pages/${page}.tsx`),
    );
    const needed = new Set([...pieces, ...withImports(metafile.outputs, entry)]);
    const html = shellOf([...needed]);
    if (address !== '') {
      keep(join(out, 'shells', shellName(address)), html);
      continue;
    }
    keep(join(out, 'index.html'), html);
    first = [...needed].reduce((sum, path) => sum + sizes.get(path), 0);
  }
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const kb = (bytes) => `${(bytes / 1024).toFixed(1)} kB`;
  process.stderr.write(
    `${relative(root, out)} built in ${((Date.now() - started) / 1000).toFixed(1)} s: ` +
      `script of the first page ${kb(first)}, all files ${kb(all)} (brotli)\n`,
  );
  if (first > FIRST_PAGE_BYTES_MAX) {
    throw new Error(`the first page loads over ${kb(FIRST_PAGE_BYTES_MAX)} of script`);
  }
}

const isRun = process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename;
if (isRun) {
  const { values } = parseArgs({ options: { hub: { type: 'string' }, out: { type: 'string' } } });
  await buildWeb(values.out === undefined ? undefined : resolve(values.out), values);
}
