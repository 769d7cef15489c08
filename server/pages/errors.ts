import type { JsonAnswer } from '../../workflows/kernel/call.ts';
import { html, page, prose, type Html } from './html.ts';

type Errors = JsonAnswer<'discovery.errors'>;
type Explanation = Errors['errors'][number];

export function errorsPage({ errors: all }: Errors): string {
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
