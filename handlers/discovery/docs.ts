import { hashSource } from '../../domain/digest.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { docsPage, docsPageBrotli } from './content/contract.ts';

export const docs: Handler<'discovery.docs'> = async () => ({
  status: 200,
  type: 'text/html',
  headers: HEADERS,
  body: docsPage,
  brotli: docsPageBrotli,
});

const TEXT = docsPage.toString();

/**
 * The page brings its own code and look, may run and show nothing else, and may load nothing at all:
 * what it needs is in it.
 */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${hashesOf(TEXT, 'script')}`,
    `style-src ${hashesOf(TEXT, 'style')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** What the page holds between these tags, as sources of its policy. */
function hashesOf(page: string, tag: 'script' | 'style'): string {
  const parts = page.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'));
  return [...parts].map(([, text]) => hashSource(text ?? '')).join(' ');
}
