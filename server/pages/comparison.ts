import type { JsonAnswer } from '../../workflows/kernel/call.ts';
import { html, page, type Html } from './html.ts';

type Comparison = JsonAnswer<'registry.compare'>;
type Server = Comparison['servers'][number];

/** Servers with the same tool in one table, a column for each. */
export function comparisonPage({ tool, servers, without }: Comparison): string {
  const title = 'Servers with the same tool';
  return page(
    title,
    html`<h1>${title}</h1>
      <p>These servers have a tool named <code>${tool}</code>. Every value was measured.</p>
      <div class="scrolled" role="region" aria-label="${title}" tabindex="0">
        <table>
          <thead>
            <tr>
              <td></td>
              ${servers.map(headOf)}
            </tr>
          </thead>
          <tbody>
            ${ROWS.map(
              ([label, show]) =>
                html`<tr>
                  <th scope="row">${label}</th>
                  ${servers.map((server) => html`<td>${show(server)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${
        without.length === 0
          ? html``
          : html`<p>Not listed, or without this tool: <code>${without.join(', ')}</code></p>`
      }`,
  );
}

function headOf({ listing: { id, name } }: Server): Html {
  return html`<th scope="col"><a href="/app/agents/${id}">${name}</a></th>`;
}

const ROWS: readonly (readonly [string, (server: Server) => string])[] = [
  ['Price of a call', priceOf],
  ['Access to the tool', ({ toolAccess }) => toolAccess],
  ['Live', ({ live, listing }) => (live ? 'yes' : `no, ${listing.availability}`)],
  ['Uptime, 30 days', ({ uptime }) => `${(uptime * 100).toFixed(2)} %`],
  ['Latency, median', ({ latencyMs }) => `${latencyMs} ms`],
  ['Verified by', ({ verification }) => verification ?? 'nothing'],
  ['Karma of the holder', ({ karma }) => String(karma)],
  ['Last probe', ({ lastCheckedAt }) => lastCheckedAt],
  ['Protocol', ({ listing }) => listing.kind],
  ['Endpoint', ({ listing }) => listing.endpoint],
  ['Arguments', ({ arguments: line }) => (line === '' ? 'none' : line)],
];

function priceOf({ price, toolAccess }: Server): string {
  if (price === undefined) return toolAccess === 'open' ? 'free' : 'not quoted';
  const { amount, asset, network } = price;
  return `${amount} atomic ${asset}${network === undefined ? '' : ` on ${network}`}`;
}
