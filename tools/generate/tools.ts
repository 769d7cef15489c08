import {
  eachOperation,
  jsonBody,
  parametersOf,
  resolve,
  type Document,
  type Operation,
  type Response,
  type Schema,
} from './document.ts';
import { mergeChoices } from './choices.ts';
import { forHosts } from './hostSchema.ts';
import { openWriter, type Writer } from './selfContained.ts';
import { throughTool } from './through.ts';

/** The MCP tools of the contract, one a line: what `tools/list` answers, page by page. */
export function toolsFile(document: Document): string {
  const names = toolNames(document);
  const lines = eachOperation(document).flatMap((each) => {
    const name = each.operation['x-door']?.mcp;
    return name === undefined ? [] : [JSON.stringify(toolOf(document, { ...each, name, names }))];
  });
  return `[\n${lines.join(',\n')}\n]\n`;
}

interface Tool {
  readonly operation: Operation;
  readonly method: string;
  readonly name: string;
  readonly names: ReadonlyMap<string, string>;
}

function toolOf(document: Document, tool: Tool): Readonly<Record<string, unknown>> {
  const { operation, name } = tool;
  const through = throughTool(document, name);
  const operations = [operation, ...through.map((each) => each.operation)];
  const outputSchema = outputOf(document, operations);
  const besides = through.map(
    ({ operation: { summary }, by }) => ` With ${by.join(' and ')} it does this: ${summary}.`,
  );
  const more = besides.join('') + ` ${SIGNING[operation['x-auth']]}`;
  const described = withToolNames(operation.description, tool.names);
  const own = described.replaceAll(`\`${name}\``, 'this tool');
  return {
    name,
    title: operation.summary,
    description: briefly(own, DESCRIPTION_MAX - more.length) + more,
    inputSchema: inputOf(document, operations),
    ...(outputSchema && { outputSchema }),
    annotations: { title: operation.summary, ...hintsOf(document, operations, tool.method) },
  };
}

/**
 * OpenAI takes 1,024 letters (docs/mcp.md has the limits of hosts); a model pays for every one in
 * each list, and the rules that come late in a description are in the hints of refusals as well.
 */
const DESCRIPTION_MAX = 340;
/** The sentence that says when an operation is used; `uses.test.ts` finds one in each. */
const USE = / (?:Use|Call) it [^`.]*(?:`[^`]*`[^`.]*)*[.](?= |$)/;

/** The first sentences of a text, as many as fit beside the one of its use, and that one. */
function briefly(text: string, most: number): string {
  if (text.length <= most) return text;
  const use = USE.exec(text)?.[0] ?? '';
  const first = sentencesWithin(text, most - use.length);
  return first.includes(use.trim()) ? first : first + use;
}

/** The first sentences of a text, as many as fit, and the first in any case. */
function sentencesWithin(text: string, most: number): string {
  let end = text.length;
  while (end > most) {
    const shorter = text.lastIndexOf('. ', end - 2) + 1;
    if (shorter <= 0) break;
    end = shorter;
  }
  return text.slice(0, end);
}

const SIGNING: Readonly<Record<Operation['x-auth'], string>> = {
  public: 'Needs no signature.',
  signed: 'Needs a signed request.',
  optional: 'A signed request acts for its account; unsigned is possible.',
  'api-key': 'Needs an API key.',
};

function toolNames(document: Document): ReadonlyMap<string, string> {
  return new Map(
    eachOperation(document).flatMap(({ operation }): [string, string][] => {
      const { mcp, through } = operation['x-door'] ?? {};
      const name = mcp ?? through;
      return name === undefined ? [] : [[operation.operationId, name]];
    }),
  );
}

/** Texts of the contract name operations; a tool's reader knows tools. */
function withToolNames(text: string, names: ReadonlyMap<string, string>): string {
  const named = text.replaceAll(/`([a-z]+\.[a-z][A-Za-z0-9]*)`/g, (whole, id: string) => {
    const name = names.get(id);
    return name === undefined ? whole : `\`${name}\``;
  });
  return named.replaceAll(/\s+/g, ' ').trim();
}

/** The inputs of all that a tool does in one object; required is what each of it requires. */
function inputOf(document: Document, operations: readonly Operation[]): Schema {
  const writer = openWriter(document);
  const inputs = operations.map((operation) => inputsOf(document, operation, writer));
  const required = (inputs[0]?.required ?? []).filter((name) =>
    inputs.every((each) => each.required.includes(name)),
  );
  const whole = {
    type: 'object',
    // The description of a name by the tool's own operation stays; a further one adds its own names.
    properties: inputs.reduce((all, each) => ({ ...all, ...each.properties, ...all }), {}),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return forHosts(whole, writer.defs());
}

interface Inputs {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/** Returns path, query and body as one object; a field named like a parameter stops the build. */
function inputsOf(document: Document, operation: Operation, writer: Writer): Inputs {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  const add = (name: string, schema: Schema, needed: boolean): void => {
    if (properties[name] !== undefined) {
      throw new Error(`${operation.operationId}: two inputs are called ${name}; rename one`);
    }
    properties[name] = schema;
    if (needed) required.push(name);
  };
  for (const parameter of parametersOf(document, operation)) {
    const { name, in: place, schema, description, deprecated, required: needed } = parameter;
    if (place === 'header' || deprecated === true) continue;
    const property = { ...writer.write(schema), ...(description !== undefined && { description }) };
    add(name, property, needed === true);
  }
  const body = jsonBody(document, operation);
  if (body !== undefined) {
    const shape = mergeChoices(document, body);
    const isRequired = operation.requestBody?.required === true;
    for (const [name, schema] of Object.entries(shape.properties)) {
      add(name, writer.write(schema), isRequired && shape.required.includes(name));
    }
  }
  return { properties, required };
}

/** The fields of every refusal; its other fields depend on the code. */
const REFUSAL: Schema = {
  type: 'object',
  required: ['error', 'code', 'hint'],
  properties: {
    error: { type: 'string' },
    code: { type: 'string' },
    hint: { type: 'string' },
  },
};

/**
 * Returns the schema of an answer or a refusal, since some clients check refusals too. Tools that
 * may answer with a price or that stream have none.
 */
function outputOf(document: Document, operations: readonly Operation[]): Schema | undefined {
  const isOpen = ({ responses, 'x-stream': stream }: Operation): boolean =>
    '402' in responses || stream !== undefined;
  if (operations.some(isOpen)) return undefined;
  const answers = operations
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => resolve<Response>(document, response).content?.['application/json']);
  const schemas = answers.flatMap((media) =>
    media?.schema === undefined ? [] : [outline(document, media.schema)],
  );
  if (schemas.length < answers.length) return undefined;
  const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  return { type: 'object', anyOf: [...distinct.values(), REFUSAL] };
}

/**
 * A GET reads. Anything else may destroy when it can spend the caller's money or when the contract
 * calls it irreversible, and may be repeated when its idempotencyKey is required.
 */
function hintsOf(
  document: Document,
  operations: readonly Operation[],
  method: string,
): Readonly<Record<string, boolean>> {
  const isRead = method === 'get';
  const destroys = (operation: Operation): boolean =>
    operation['x-charge'] !== undefined ||
    (operation['x-errors'] ?? []).includes('insufficient-funds') ||
    operation['x-door']?.irreversible === true;
  const isOnce = (operation: Operation): boolean =>
    jsonBody(document, operation)?.required?.includes('idempotencyKey') === true;
  return {
    readOnlyHint: isRead,
    destructiveHint: !isRead && operations.some(destroys),
    idempotentHint: isRead || operations.every(isOnce),
    openWorldHint: operations.some((operation) => operation['x-door']?.outside === true),
  };
}

/** Levels of fields under the root; what lies deeper has its type only. */
const LEVELS = 1;

/**
 * Returns the outline of an answer: names, types and required fields, one level deep and open, so a
 * later field breaks no client and the list of tools stays small enough for every connection.
 */
function outline(document: Document, reference: Schema, level = 0): Schema {
  const schema = resolve<Schema>(document, reference);
  const { type, properties, required, items, oneOf } = schema;
  const constant = schema['const'];
  const own: Schema = {
    ...(type !== undefined && { type }),
    ...(constant !== undefined && { const: constant }),
  };
  const inside = (each: Schema, below: number): Schema => outline(document, each, below);
  return {
    ...own,
    ...(oneOf && { anyOf: oneOf.map((each) => inside(each, level)) }),
    ...(required && properties && level < LEVELS && { required }),
    ...(properties &&
      level < LEVELS && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, each]) => [name, inside(each, level + 1)]),
        ),
      }),
    ...(items && { items: inside(items, level) }),
  };
}
