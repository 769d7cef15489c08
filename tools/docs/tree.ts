import { html, type Html } from '../../server/pages/html.ts';
import { eachOperation, type Document } from '../generate/document.ts';

interface Area {
  readonly name: string;
}

/** The tree at the left of the contract: guides above, then each area with its operations. */
export function treeOf(document: Document, areas: readonly Area[]): Html {
  const operations = eachOperation(document);
  return html`<nav aria-label="Operations" class="tree">
    <p>
      <a href="/docs/">Guides</a> · <a href="#changes">Changes</a> · <a href="#schemas">Shapes</a>
    </p>
    ${areas.map(
      ({ name }) =>
        html`<details>
          <summary>${name}</summary>
          <ul>
            <li><a href="#${name}">All of ${name}</a></li>
            ${operations
              .filter(({ operation }) => operation.tags[0] === name)
              .map(
                ({ operation }) =>
                  html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
              )}
            <li><a href="/docs/contract/${name}.md">As Markdown, for agents</a></li>
          </ul>
        </details>`,
    )}
  </nav>`;
}
