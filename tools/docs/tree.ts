import { html, type Html } from '../../server/pages/html.ts';
import type { Document } from '../generate/document.ts';
import { groupsOf, type Area } from './groups.ts';

/** The tree at the left of the contract: guides above, then each area with its operations. */
export function treeOf(document: Document, areas: readonly Area[]): Html {
  return html`<nav aria-label="Operations" class="tree">
    <p>
      <a href="/docs/">Guides</a> · <a href="#changes">Changes</a> · <a href="#schemas">Shapes</a>
    </p>
    ${areas.map(
      (area) =>
        html`<details>
          <summary>${area.name}</summary>
          <ul>
            <li><a href="#${area.name}">All of ${area.name}</a></li>
            ${groupsOf(document, area).map(({ title, operations }) => {
              const lines = operations.map(
                ({ operation }) =>
                  html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
              );
              if (title === undefined) return html`${lines}`;
              return html`<li>
                ${title}
                <ul>
                  ${lines}
                </ul>
              </li>`;
            })}
            <li><a href="/docs/contract/${area.name}.md">As Markdown, for agents</a></li>
          </ul>
        </details>`,
    )}
  </nav>`;
}
