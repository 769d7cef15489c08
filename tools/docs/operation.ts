import { html, prose, type Html } from '../../server/pages/html.ts';
import {
  jsonBody,
  parametersOf,
  resolve,
  type Auth,
  type Document,
  type ErrorCodeEntry,
  type Media,
  type Operation,
  type Parameter,
  type Placed,
  type Response,
} from '../generate/document.ts';
import { LANGUAGES, type Language, type Sample } from './samples/samples.ts';
import { saysOf, shapeOf, typeOf } from './schema.ts';

const WHO: Readonly<Record<Auth, string>> = {
  public: 'Unsigned: everybody may call it.',
  signed: 'Signed by the key of the account.',
  optional: 'Signed or not; a signature shows more or acts for an account.',
  'api-key': 'With an API key of the account, as a bearer token.',
};
const MICRO = 6;

/** One operation, closed until it is opened, looked for or linked to. */
export function operationSection(
  document: Document,
  { path, method, operation }: Placed,
  sample: Sample,
  specific: ReadonlyMap<string, ErrorCodeEntry>,
): Html {
  const { operationId, summary, description } = operation;
  return html`<details class="entry">
    <summary>
      <h3>${summary}</h3>
      <code class="call">${method.toUpperCase()} ${path}</code>
    </summary>
    <div class="body" id="${operationId}">
      <p class="quiet">
        <a href="#${operationId}"><code>${operationId}</code></a> · ${WHO[operation['x-auth']]}
      </p>
      <p class="says">${prose(description)}</p>
      <p><a href="/app/try?operation=${operationId}">Try it in this browser</a></p>
      ${factsOf(operation)} ${samplesOf(sample)} ${parametersPart(document, operation)}
      ${bodyPart(document, operation)} ${answerPart(document, operation)}
      ${refusalsPart(operation, specific)}
    </div>
  </details>`;
}

function factsOf(operation: Operation): Html {
  const once = operation['x-idempotency']?.split('.').at(-1);
  const charge = Object.values(operation['x-charge']?.parts ?? {}).map(
    ({ what, amount, unit }) =>
      html`<li>${what}: ${amount === undefined ? '' : `${usdc(amount)} USDC `}${unit}</li>`,
  );
  const facts = [
    ...(once === undefined
      ? []
      : [html`<li>Once only by <code>${once}</code>, which the clients make.</li>`]),
    ...(operation['x-wait'] === undefined
      ? []
      : [html`<li>A long poll: <code>wait</code> holds it until there is something new.</li>`]),
    ...(operation['x-door']?.mcp === undefined
      ? []
      : [html`<li>Over MCP: the tool <code>${operation['x-door'].mcp}</code>.</li>`]),
    ...charge,
  ];
  return facts.length === 0
    ? html``
    : html`<ul class="facts">
        ${facts}
      </ul>`;
}

function usdc(atomic: string): string {
  const text = atomic.padStart(MICRO + 1, '0');
  return `${text.slice(0, -MICRO)}.${text.slice(-MICRO)}`.replace(/0{1,4}$/, '');
}

function samplesOf({ call, signedCall, text }: Sample): Html {
  const isOther = call !== signedCall;
  const blocks = Object.entries(LANGUAGES).map(([language, name]) => {
    const twin =
      isOther && (language === 'python' || language === 'terminal')
        ? html`<p class="limits">
            This client signs and holds no API key:
            <a href="#${signedCall.operation.operationId}"
              ><code>${signedCall.operation.operationId}</code></a
            >
            does the same.
          </p>`
        : html``;
    return sampleBlock(language as Language, name, text[language as Language], twin);
  });
  return html`<h4>Call it</h4>
    ${blocks}`;
}

/** Text in one language, which the choice at the top of the page shows or hides. */
export function sampleBlock(language: Language, name: string, text: string, more: Html): Html {
  return html`<div class="sample" data-language="${language}">
    ${more}
    <pre tabindex="0" role="group" aria-label="${name}"><code>${text}</code></pre>
  </div>`;
}

function parametersPart(document: Document, operation: Operation): Html {
  const given = parametersOf(document, operation);
  if (given.length === 0) return html``;
  return html`<h4>Parameters</h4>
    <dl class="fields">${given.map(parameterRow)}</dl>`;
}

function parameterRow({ name, in: place, required, schema, description = '' }: Parameter): Html {
  return html`<dt>
      <code>${name}</code> <span class="type">${typeOf(schema)}, ${place}</span> ${
        required === true ? html`<b>required</b>` : html``
      }
    </dt>
    <dd>
      <p>${prose(description)}</p>
      ${saysOf({ ...schema, description: undefined })}
    </dd>`;
}

function bodyPart(document: Document, operation: Operation): Html {
  const schema = jsonBody(document, operation);
  if (schema === undefined) return html``;
  const example = operation.requestBody?.content['application/json']?.example;
  return html`<h4>Body</h4>
    ${mediaPart({ schema, example })}`;
}

function mediaPart({ schema = {}, example }: Media): Html {
  return html`${schema.properties === undefined ? html`<p>${typeOf(schema)}</p>` : html``}
  ${schema.$ref === undefined ? shapeOf(schema) : html``}
  ${example === undefined ? html`` : exampleBlock(example)}`;
}

function exampleBlock(example: unknown): Html {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return html`<details class="example">
    <summary>Example</summary>
    <pre tabindex="0" role="group" aria-label="Example"><code>${text}</code></pre>
  </details>`;
}

function answerPart(document: Document, { responses }: Operation): Html {
  return html`${Object.entries(responses)
    .filter(([status]) => status === '200' || status === '202')
    .map(([status, given]) => {
      const { description, content = {} } = resolve<Response>(document, given);
      const parts = Object.entries(content).map(
        ([type, media]) =>
          html`<h5>${type}</h5>
            ${mediaPart(media)}`,
      );
      return html`<h4>Answer ${status}</h4>
        <p>${prose(description)}</p>
        ${parts}`;
    })}`;
}

/** A refusal with its meaning, and one as the hub answers it. */
function refusalOf({ code, status, says, example, hint }: ErrorCodeEntry): Html {
  const text = JSON.stringify({ error: example.error, code, hint }, null, 2);
  return html`<li>
    <details class="example">
      <summary><code>${code}</code> <span class="type">${status}</span> ${says}</summary>
      <pre tabindex="0" role="group" aria-label="${code}"><code>${text}</code></pre>
      <p><a href="/errors/${code}">Its cause and remedy</a></p>
    </details>
  </li>`;
}

/** The codes that this operation has beside those of every call of its kind. */
function refusalsPart(operation: Operation, specific: ReadonlyMap<string, ErrorCodeEntry>): Html {
  const codes = (operation['x-errors'] ?? []).flatMap((code) => specific.get(code) ?? []);
  const links = codes.map(refusalOf);
  const own =
    links.length === 0
      ? html``
      : html`<ul class="codes">
          ${links}
        </ul>`;
  return html`<h4>Refusals</h4>
    ${own}
    <p class="quiet">
      ${links.length === 0 ? 'Those' : 'And those'} that
      <a href="/errors">every call of its kind</a> may have.
    </p>`;
}
