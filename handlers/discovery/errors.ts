import type { Handler } from '../../server/handler.ts';
import { CODES, explain, type Explanation } from './_errors.ts';
import { html, page, PAGE_HEADERS, prose, type Html } from './_page.ts';

export const errors: Handler<'discovery.errors'> = async (call, hub) => {
  const all = CODES.map((code) => explain(code, hub.settings.baseUrl));
  if (!call.request.wantsHtml) {
    return {
      status: 200,
      headers: { vary: 'accept' },
      body: { count: all.length, errors: all },
    };
  }
  return { status: 200, type: 'text/html', headers: PAGE_HEADERS, body: pageOf(all) };
};

function pageOf(all: readonly Explanation[]): string {
  const families = [...new Set(all.map(({ family }) => family))];
  return page(
    'Refusal codes',
    html`<h1>Refusal codes</h1>
      <p class="quiet">
        Every refusal carries one of these ${all.length} codes; the list is closed. The same as
        JSON: ask for application/json.
      </p>
      ${families.map((family) => familyOf(family, all))}`,
  );
}

function familyOf(family: string, all: readonly Explanation[]): Html {
  const rows = all
    .filter((each) => each.family === family)
    .map(
      ({ code, says, status }) =>
        html`<dt>
            <a href="errors/${code}"><code>${code}</code></a> <span class="quiet">${status}</span>
          </dt>
          <dd>${prose(says)}</dd>`,
    );
  return html`<h2>${family}</h2>
    <dl>${rows}</dl>`;
}
