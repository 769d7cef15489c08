import { refuse } from '../../workflows/kernel/errors.ts';
import { takesBrotli } from '../middleware/codings.ts';
import type { Answer, Exchange } from '../middleware/exchange.ts';
import { html, page, PAGE_HEADERS } from './html.ts';
import { CLIENT_FILE, isPackagePath, WHEEL_FILE } from './webFiles.ts';
import type { SiteFile, WebFile, WebFiles } from './webFiles.ts';
import { head } from '../../domain/text.ts';

/** Serves the pages. Files have hashed names and never expire in caches; the shell is revalidated. */
export const WEB_PATH = '/app';
const ASSETS = `${WEB_PATH}/assets/`;
/** Segments of ids and account names: no dots, no escapes (threats.page-paths). */
const PAGE = /^\/app(?:\/[A-Za-z0-9:_-]{1,128}){0,4}\/?$/;
/** Paths of operations with the page's path in front: an HTML answer would mislead a program. */
const API = /^\/app\/(?:api|v1|mcp|a2a)(?:\/|$)/;
const ALLOW = 'GET, HEAD, OPTIONS';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'accept-encoding',
};

/** Headers of a page whose scripts are files of this hub, and the inline ones of `scripts`. */
export function shellHeaders(
  scripts: string,
  trustedTypes: string,
): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes}`,
  ];
  return {
    ...HEADERS,
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-cache',
    'x-frame-options': 'DENY',
  };
}
export const SHELL_HEADERS = shellHeaders("'self'", "'none'");
/** Asked for each time: npm sends the entity tag, and a hub that was upgraded has another package. */
const CLIENT_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
};
export const ASSET_HEADERS = { ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' };

export function isWebPath(rawPath: string): boolean {
  return rawPath === WEB_PATH || isPackagePath(rawPath) || rawPath.startsWith(`${WEB_PATH}/`);
}

/** Answers a path of the pages. @throws HubError. */
export async function webAnswer(exchange: Exchange, files: WebFiles | undefined): Promise<Answer> {
  const { rawPath } = exchange;
  const isPackage = isPackagePath(rawPath);
  const options = onlyRead(exchange, isPackage ? rawPath : WEB_PATH);
  if (options !== undefined) return options;
  if (isPackage) return packageAnswer(exchange, files);
  if (files === undefined) return notBuilt(exchange);
  const asset = rawPath.startsWith(ASSETS) ? rawPath.slice(ASSETS.length) : undefined;
  const file = asset === undefined ? shellFor(rawPath, files) : files.assets.get(asset);
  if (file === undefined) return noSuchFile(exchange);
  return answerWith(exchange, file, asset === undefined ? SHELL_HEADERS : ASSET_HEADERS);
}

/** The answer to OPTIONS; undefined for a read. @throws HubError for any other method. */
export function onlyRead({ method }: Exchange, path: string): Answer | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'OPTIONS') return { status: 204, headers: { allow: ALLOW } };
  const error = `${method} is not a method of ${path}; it answers ${ALLOW}.`;
  return refuse('method-not-allowed', { error, allowed: ALLOW.split(', ') }, { allow: ALLOW });
}

export function noSuchFile({ rawPath }: Exchange): never {
  return refuse('no-route', { error: `No page or file ${JSON.stringify(head(rawPath, 200))}.` });
}

/**
 * The package with its hash, which a caller compares with that of another hub or of a release. Package
 * managers take it from these addresses (choices clients.package).
 */
function packageAnswer(exchange: Exchange, files: WebFiles | undefined): Promise<Answer> {
  const { rawPath } = exchange;
  const client = files?.client;
  if (client === undefined) return refuse('no-route', NO_CLIENT);
  const { wheel } = client;
  if (rawPath === `/${CLIENT_FILE}`) return answerWith(exchange, client.file, headersOf(client));
  if (wheel === undefined) return refuse('no-route', NO_WHEEL);
  if (rawPath !== `/${WHEEL_FILE}` && rawPath !== wheel.path) {
    return refuse('no-route', { error: `This hub serves ${wheel.path}.` });
  }
  const named = { 'content-disposition': `attachment; filename="${wheel.path.slice(1)}"` };
  return answerWith(exchange, wheel.file, { ...headersOf(wheel), ...named });
}

function headersOf({ integrity }: { readonly integrity: string }): Record<string, string> {
  const digest = `sha-512=:${integrity.slice('sha512-'.length)}:`;
  return { ...CLIENT_HEADERS, 'repr-digest': digest };
}

/** The shell of this address names what its page loads, which saves a trip; any other draws it too. */
function shellFor(rawPath: string, { shell, shells }: WebFiles): WebFile | undefined {
  if (!PAGE.test(rawPath) || API.test(rawPath)) return undefined;
  const [, , area = '', id = ''] = rawPath.split('/');
  if (id === '') return shells.get(`${area}.html`) ?? shell;
  return shells.get(`${area}.${id}.html`) ?? shells.get(`${area}.item.html`) ?? shell;
}

export async function answerWith(
  { request }: Exchange,
  { type, plain, brotli, tag }: WebFile | SiteFile,
  shared: Readonly<Record<string, string>>,
): Promise<Answer> {
  const headers = { ...shared, etag: tag, 'content-type': type };
  if (brotli !== undefined && takesBrotli(request)) {
    return { status: 200, headers: { ...headers, 'content-encoding': 'br' }, body: brotli };
  }
  return { status: 200, headers, body: typeof plain === 'function' ? await plain() : plain };
}

const MISSING = 'The pages were not built on this hub.';
const REMEDY =
  'Run `npm run build`, then start the hub again. `GET /api/v1` lists what works without them.';

const NO_CLIENT = {
  error: "The client's package was not built on this hub.",
  hint: 'Run `npm run build`, then start the hub again. `GET /api/v1/quickstart` has code that signs.',
};

const NO_WHEEL = {
  error: 'The Python client was not built on this hub.',
  hint: 'Run `npm run pack:wheel`, then start the hub again.',
};

function notBuilt({ wantsHtml }: Exchange): Answer {
  if (!wantsHtml) return refuse('no-route', { error: MISSING, hint: REMEDY });
  const text = page(
    'No pages here',
    html`<h1>${MISSING}</h1>
      <p>
        Run <code>npm run build</code>, then start the hub again. Every operation works without
        them: <a href="/docs">the contract</a>.
      </p>`,
  );
  return { status: 404, headers: { ...PAGE_HEADERS, 'content-type': 'text/html' }, body: text };
}
