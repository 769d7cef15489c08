import { refuse } from '../hub/errors.ts';
import type { Answer, Exchange } from '../middleware/exchange.ts';
import { ALLOW, answerWith, ASSET_HEADERS, HEADERS } from './web.ts';
import type { Site } from './webFiles.ts';

/** The documentation site below the contract page, which is the operation at `/docs` itself. */
export const SITE_PATH = '/docs/';
const HASHED = 'assets/';

export function isSitePath(rawPath: string): boolean {
  return rawPath.startsWith(SITE_PATH);
}

/** Answers a page or file of the site; where none was built, its first page is the contract. */
export function siteAnswer(exchange: Exchange, site: Site | undefined): Answer {
  const { method, rawPath } = exchange;
  if (method === 'OPTIONS') return { status: 204, headers: { allow: ALLOW } };
  if (method !== 'GET' && method !== 'HEAD') {
    const error = `${method} is not a method of ${SITE_PATH}; it answers ${ALLOW}.`;
    refuse('method-not-allowed', { error, allowed: ALLOW.split(', ') }, { allow: ALLOW });
  }
  const path = rawPath.slice(SITE_PATH.length);
  if (site === undefined) {
    if (path === '') return { status: 302, headers: { location: '/docs' } };
    return refuse('no-route', NOT_BUILT);
  }
  const { files, scripts } = site;
  const file = files.get(path) ?? files.get(`${path === '' ? 'index' : path}.html`);
  if (file === undefined) {
    const error = `No page or file ${JSON.stringify(rawPath.slice(0, 200))}.`;
    return refuse('no-route', { error });
  }
  if (path.startsWith(HASHED)) return answerWith(exchange, file, ASSET_HEADERS);
  return answerWith(exchange, file, pageHeaders(scripts));
}

const NOT_BUILT = {
  error: 'The documentation site was not built on this hub.',
  hint: 'Run `npm run docs:build`, then start the hub again. `GET /docs` is the contract.',
};

/** Vue, which draws the pages, creates the one trusted type policy `vue`. */
function pageHeaders(scripts: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${scripts}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types vue',
  ].join('; ');
  return {
    ...HEADERS,
    'content-security-policy': policy,
    'cache-control': 'no-cache',
    'x-frame-options': 'DENY',
  };
}
