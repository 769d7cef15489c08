import { sha256 } from '../../domain/digest.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { docsPage } from './content/contract.ts';

export const docs: Handler<'discovery.docs'> = async () => ({
  status: 200,
  type: 'text/html',
  headers: HEADERS,
  body: docsPage,
});

/**
 * The page brings its own code and may run nothing else, and it may load nothing at all: what it
 * needs is in it.
 */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${scriptHashes(docsPage.toString()).join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

function scriptHashes(page: string): readonly string[] {
  const scripts = page.matchAll(/<script(?: type="module")?>([^]*?)<\/script>/g);
  return [...scripts].map(([, code]) => {
    return `'sha256-${Buffer.from(sha256(code ?? '')).toString('base64')}'`;
  });
}
