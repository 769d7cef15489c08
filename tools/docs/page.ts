import { html, page, prose, type Html } from '../../server/pages/html.ts';
import type { Document, ErrorCodeEntry, Schema } from '../generate/document.ts';
import { changesSection } from './changes.ts';
import { groupsOf, type Area } from './groups.ts';
import { operationSection, sampleBlock } from './operation.ts';
import { LANGUAGES, samplesOf, SETUPS, type Language, type Sample } from './samples/samples.ts';
import { namesIn, saysOf, shapeOf } from './schema.ts';
import { CSS } from './style.ts';
import { treeOf } from './tree.ts';

interface Contract extends Document {
  readonly info: Document['info'] & { readonly description: string };
  readonly tags: readonly Area[];
}

/** The contract for people, whole: operations by area with samples, then the shapes they name. */
export async function docsPage(
  document: Contract,
  codes: readonly ErrorCodeEntry[],
  script: string,
  released: Document,
): Promise<string> {
  const samples = await samplesOf(document);
  const specific = new Map(
    codes.filter(({ applies }) => applies === 'specific').map((entry) => [entry.code, entry]),
  );
  const { info, tags } = document;
  const areas = tags.map((tag) => areaSection(document, tag, samples, specific));
  const body = html`<h1>The contract</h1>
    <p class="quiet">
      Version ${info.version}, ${samples.size} operations. For programs:
      <a href="/api/v1/openapi.json">openapi.json</a>.
    </p>
    ${info.description
      .trim()
      .split('\n\n')
      .map((text) => html`<p>${prose(text)}</p>`)}
    <div class="contract">
      ${treeOf(document, tags)}
      <div>
        ${controls()} ${setupSection()} ${areas} ${schemaSection(document)}
        ${changesSection(released, document)}
      </div>
    </div>`;
  return linked(page('The contract', body, { css: CSS, script }), samples);
}

/** Makes links of operations that a text names, by id or by method and path. */
function linked(text: string, samples: ReadonlyMap<string, Sample>): string {
  const idOf = new Map(
    [...samples].flatMap(([id, { call }]) => [
      [id, id],
      [`${call.method} ${call.path}`, id],
    ]),
  );
  return text.replace(/<code>([\w.{}/ -]+)<\/code>(?!\s*<\/a\s*>)/g, (code, name: string) => {
    const id = idOf.get(name);
    return id === undefined ? code : `<a href="#${id}">${code}</a>`;
  });
}

/** Search, which needs the script, and the language of the samples, which does not. */
function controls(): Html {
  const languages = Object.entries(LANGUAGES).map(
    ([language, name], place) =>
      html`<label
        ><input
          type="radio"
          name="language"
          value="${language}"
          ${place === 0 ? html`checked` : html``}
        />
        ${name}</label
      >`,
  );
  return html`<search class="controls">
    <label class="find" hidden
      >Search the contract
      <input type="search" id="find" autocomplete="off" spellcheck="false" />
    </label>
    <fieldset>
      <legend>Samples in</legend>
      ${languages}
    </fieldset>
    <output id="found" for="find"></output>
  </search>`;
}

function setupSection(): Html {
  const blocks = Object.entries(LANGUAGES).map(([language, name]) =>
    sampleBlock(language as Language, name, SETUPS[language as Language], html``),
  );
  return html`<section class="unready">
    <h2 id="setup">What the samples take for granted</h2>
    ${blocks}
  </section>`;
}

function areaSection(
  document: Document,
  area: Area,
  samples: ReadonlyMap<string, Sample>,
  specific: ReadonlyMap<string, ErrorCodeEntry>,
): Html {
  const { name, description } = area;
  const operations = groupsOf(document, area).flatMap(({ operations: own }) => own);
  const parts = operations.map((placed) => {
    const sample = samples.get(placed.operation.operationId);
    if (sample === undefined) throw new Error(`${placed.operation.operationId} has no sample`);
    return operationSection(document, placed, sample, specific);
  });
  return html`<section class="area">
    <h2 id="${name}">${name}</h2>
    <p>${prose(description)}</p>
    ${parts}
  </section>`;
}

function schemaSection(document: Document): Html {
  const { schemas } = document.components;
  const used = reachable(document.paths, schemas);
  const entries = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(
      ([name, schema]) =>
        html`<details class="entry">
          <summary>
            <h3><code>${name}</code></h3>
          </summary>
          <div class="body" id="schema.${name}">${saysOf(schema)}${shapeOf(schema)}</div>
        </details>`,
    );
  return html`<section class="area">
    <h2 id="schemas">Shapes</h2>
    <p>Of what is sent and answered, by name.</p>
    ${entries}
  </section>`;
}

function reachable(
  paths: Document['paths'],
  schemas: Readonly<Record<string, Schema>>,
): ReadonlySet<string> {
  const found = new Set(namesIn(paths));
  for (const name of found) for (const next of namesIn(schemas[name])) found.add(next);
  return new Set([...found].filter((name) => name in schemas));
}
