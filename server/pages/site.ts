import { refuse } from '../../workflows/kernel/errors.ts';
import type { Answer, Exchange } from '../middleware/exchange.ts';
import { answerWith, ASSET_HEADERS, noSuchFile, onlyRead, shellHeaders } from './web.ts';
import type { WebFiles } from './webFiles.ts';

/** The documentation site below the contract page, which is the operation at `/docs` itself. */
export const SITE_PATH = '/docs/';
const HASHED = 'assets/';

export function isSitePath(rawPath: string): boolean {
  return rawPath.startsWith(SITE_PATH);
}

/** Answers a page or file of the site; where none was built, its first page is the contract. */
export async function siteAnswer(
  exchange: Exchange,
  web: Pick<WebFiles, 'site'> | undefined,
): Promise<Answer> {
  const options = onlyRead(exchange, SITE_PATH);
  if (options !== undefined) return options;
  const path = exchange.rawPath.slice(SITE_PATH.length);
  const site = await web?.site;
  if (site === undefined) {
    if (path === '') return { status: 302, headers: { location: '/docs' } };
    return refuse('no-route', NOT_BUILT);
  }
  const { files, scripts } = site;
  const file = files.get(path) ?? files.get(`${path === '' ? 'index' : path}.html`);
  if (file === undefined) return noSuchFile(exchange);
  if (path.startsWith(HASHED)) return answerWith(exchange, file, ASSET_HEADERS);
  // Vue, which draws the pages, creates the one trusted type policy `vue`.
  return answerWith(exchange, file, shellHeaders(`'self' ${scripts}`, 'vue'));
}

const NOT_BUILT = {
  error: 'The documentation site was not built on this hub.',
  hint: 'Run `npm run docs:build`, then start the hub again. `GET /docs` is the contract.',
};
