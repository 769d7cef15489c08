import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { docsPage } from './docs/page.ts';
import { readErrorCodes } from './generate/document.ts';

/** Builds generated/docs.html, the contract for people, compressed, in one self-contained file. */
const PAGE = 'generated/docs.html';

const { code } = transformSync(readFileSync('tools/docs/search.ts', 'utf8'), {
  loader: 'ts',
  format: 'iife',
  target: 'es2022',
  minify: true,
});
const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Parameters<
  typeof docsPage
>[0];
const text = await docsPage(document, readErrorCodes(), code.trim());
writeFileSync(PAGE, text);
writeFileSync(`${PAGE}.br`, brotliCompressSync(text));
