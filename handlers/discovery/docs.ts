import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { inlineSources } from '../../domain/digest.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { perHub } from '../../workflows/kernel/perHub.ts';
import { docsPageAt, docsPageBrotli, EXAMPLE_URL } from './content/contract.ts';

const compress = promisify(brotliCompress);
/** Off the event loop and once for a hub: 2 s, where the best quality would take four times that. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

const made = perHub(async ({ settings: { baseUrl } }) => {
  const body = docsPageAt(baseUrl);
  const isBuilt = baseUrl === EXAMPLE_URL;
  const brotli = isBuilt ? docsPageBrotli : await compress(body, QUALITY);
  return { body, brotli, headers: headersOf(body) };
});

export const docs: Handler<'discovery.docs'> = async (_, hub) => ({
  status: 200,
  type: 'text/html',
  ...(await made(hub)),
});

/** Restricts the page to its own code and styles: it may run, show and load nothing else. */
function headersOf(page: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${inlineSources(page, 'script')}`,
      `style-src ${inlineSources(page, 'style')}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}
