import { html, type Html } from '../../server/pages/html.ts';
import { eachOperation, type Document } from '../generate/document.ts';

interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares the operations of two versions of the contract by their ids. */
export function changesBetween(
  released: Pick<Document, 'paths'>,
  now: Pick<Document, 'paths'>,
): Changes {
  const idsOf = ({ paths }: Pick<Document, 'paths'>) =>
    new Set(eachOperation({ paths } as Document).map(({ operation }) => operation.operationId));
  const [before, after] = [idsOf(released), idsOf(now)];
  return {
    added: [...after].filter((id) => !before.has(id)).sort(),
    removed: [...before].filter((id) => !after.has(id)).sort(),
  };
}

/** The version, and the operations that came and went since the last release. */
export function changesSection(released: Document, now: Document): Html {
  const { added, removed } = changesBetween(released, now);
  const list = (title: string, ids: readonly string[], isLinked: boolean): Html =>
    ids.length === 0
      ? html``
      : html`<p>${title}</p>
          <ul>
            ${ids.map((id) =>
              isLinked
                ? html`<li>
                    <a href="#${id}"><code>${id}</code></a>
                  </li>`
                : html`<li><code>${id}</code></li>`,
            )}
          </ul>`;
  return html`<section>
    <h2 id="changes">Changes</h2>
    <p>
      This is version ${now.info.version}; the last release is ${released.info.version}.
      <a href="/docs/CHANGELOG">The changelog</a> has every version.
    </p>
    ${
      added.length + removed.length === 0
        ? html`<p>No operation was added or removed since that release.</p>`
        : html``
    }
    ${list('Added:', added, true)} ${list('Removed:', removed, false)}
  </section>`;
}
