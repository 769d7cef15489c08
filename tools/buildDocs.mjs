// Builds docs/.vitepress into dist/docs, compressed, for a hub to serve below /docs/.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { installPackages } from './installPackages.mjs';

const compress = promisify(brotliCompress);
const root = resolve(import.meta.dirname, '..');
const out = join(root, 'dist/docs');
/** Compressed bytes that the first page loads; 53 kB of them are the script of VitePress. */
const FIRST_PAGE_BYTES_MAX = 74 * 1024;
/** Files that every page loads are compressed as far as possible, the others in a tenth of the time. */
const SHARED = /^assets[\\/](?:chunks|app|style)/;

const site = join(root, 'docs/.vitepress');
installPackages(site, 'VitePress, which builds the documentation site');
const { build } = await import(
  pathToFileURL(join(site, 'node_modules/vitepress/dist/node/index.js'))
);

const started = Date.now();
await build(join(root, 'docs'), { outDir: out, logLevel: 'warn' });
const sizes = new Map();
const files = new Map();
for (const path of readdirSync(out, { recursive: true })) {
  if (!/\.(html|css|js)$/.test(path)) continue;
  const bytes = readFileSync(join(out, path));
  const quality = SHARED.test(path) ? 11 : 9;
  const small = await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  writeFileSync(join(out, `${path}.br`), small);
  sizes.set(path, small.length);
  files.set(path, String(bytes));
}
mustBeLetIn();
const index = files.get('index.html');
const loaded = index.matchAll(/(?:href|src)="\/docs\/([^" ]+\.(?:css|js))"/g);
const paths = new Set(['index.html', ...[...loaded].map(([, path]) => path)]);
const first = [...paths].reduce((sum, path) => sum + sizes.get(path), 0);
const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
const kb = (bytes) => `${(bytes / 1024).toFixed(1)} kB`;
process.stderr.write(
  `${relative(root, out)} built in ${((Date.now() - started) / 1000).toFixed(1)} s: ` +
    `first page ${kb(first)}, all texts ${kb(all)} (brotli)\n`,
);
if (first > FIRST_PAGE_BYTES_MAX) {
  throw new Error(`the first page of the site loads over ${kb(FIRST_PAGE_BYTES_MAX)}`);
}

/** The hub's policy names the inline scripts of the first page, and lets no inline style in. */
function mustBeLetIn() {
  const inlineOf = (page) => page.match(/<script(?: [^>]*)?>[^<][^]*?<\/script>/g)?.join('\n');
  const known = inlineOf(files.get('index.html'));
  for (const [path, page] of files) {
    if (!path.endsWith('.html')) continue;
    if (inlineOf(page) !== known) throw new Error(`${path} has another inline script`);
    if (/<style|<[^>]+ style=/.test(page)) throw new Error(`${path} has an inline style`);
  }
}
