import type { AnyReply } from '../http/wire.ts';
import type { JsonAnswer } from '../../workflows/kernel/call.ts';
import { comparisonPage } from './comparison.ts';
import { diagnosisPage } from './diagnosis.ts';
import { errorPage } from './error.ts';
import { errorsPage } from './errors.ts';
import { PAGE_HEADERS } from './html.ts';
import { homePage, homeShell } from './home.ts';
import { keysPage } from './keys.ts';
import { SHELL_HEADERS } from './web.ts';
import type { WebFiles } from './webFiles.ts';

/** Operations whose answer has a form for people, and what makes it. */
const PAGES: { readonly [Op in PagedOperation]: (body: JsonAnswer<Op>) => string } = {
  'discovery.error': errorPage,
  'discovery.errors': errorsPage,
  'discovery.home': homePage,
  'discovery.keys': keysPage,
  'registry.compare': comparisonPage,
  'registry.diagnosis': diagnosisPage,
};

type PagedOperation =
  | 'discovery.error'
  | 'discovery.errors'
  | 'discovery.home'
  | 'discovery.keys'
  | 'registry.compare'
  | 'registry.diagnosis';

export function hasPage(operation: string): operation is PagedOperation {
  return Object.hasOwn(PAGES, operation);
}

/** The same answer as a page, for a browser that asked for one. */
export function asPage(
  operation: PagedOperation,
  reply: AnyReply,
  web: WebFiles | undefined,
): AnyReply {
  if (operation === 'discovery.home' && web !== undefined) {
    const index = reply.body as JsonAnswer<'discovery.home'>;
    const headers = { ...SHELL_HEADERS, vary: 'accept' };
    return { status: reply.status, type: 'text/html', headers, body: homeShell(index, web.shell) };
  }
  // The operation that answered is the one whose page is made, so the body is of its shape.
  const pageOf = PAGES[operation] as (body: unknown) => string;
  return {
    status: reply.status,
    type: 'text/html',
    headers: PAGE_HEADERS,
    body: pageOf(reply.body),
  };
}
