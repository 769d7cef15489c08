import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { docsPage } from './docs/page.ts';
import { readErrorCodes } from './generate/document.ts';
import { NOTEBOOK, notebook } from './sdk/notebook.ts';

/** Builds generated/docs.html, the contract for people in one compressed file, and the notebook. */
const PAGE = 'generated/docs.html';

const { outputFiles } = buildSync({
  entryPoints: ['tools/docs/search.ts'],
  bundle: true,
  write: false,
  format: 'iife',
  target: 'es2022',
  minify: true,
});
const contract = (path: string) =>
  JSON.parse(readFileSync(path, 'utf8')) as Parameters<typeof docsPage>[0];
const text = await docsPage(
  contract('generated/openapi.json'),
  readErrorCodes(),
  (outputFiles[0]?.text ?? '').trim(),
  contract('spec/released/openapi.json'),
);
writeFileSync(PAGE, text);
writeFileSync(`${PAGE}.br`, brotliCompressSync(text));
writeFileSync(NOTEBOOK, notebook());
