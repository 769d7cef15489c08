import type { ErrorBody } from '../../workflows/kernel/errors.ts';
import { html, page, prose, type Html } from './html.ts';

/** A refusal for who opened a page: what is wrong, what to do next, and what to quote. */
export function refusalPage(status: number, { error, hint, code, requestId }: ErrorBody): string {
  return page(
    `${titleOf(status)} (${status})`,
    html`<h1>${titleOf(status)}</h1>
      <p>${prose(error)}</p>
      <p>${prose(hint)}</p>
      <p class="quiet">
        HTTP ${status}, <a href="/errors/${code}"><code>${code}</code></a
        >${quoted(requestId)}
      </p>
      <p><a href="/">Go to the first page</a></p>`,
  );
}

function quoted(requestId: string | undefined): Html {
  return requestId === undefined ? html`` : html`, request <code>${requestId}</code>`;
}

function titleOf(status: number): string {
  if (status === 404) return 'There is no such page';
  if (status === 429) return 'Too many requests';
  return status >= 500 ? 'The hub failed here' : 'The hub refused this';
}
