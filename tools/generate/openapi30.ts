import { resolve, type Document, type Media, type Response } from './document.ts';

/**
 * Returns the contract as OpenAPI 3.0.3 with the same JSON on the wire. What 3.0 cannot say is left
 * out, so no valid value is refused. An answer has one form, JSON where it can, since generators
 * make one type of it.
 */
export function asOpenApi30(document: Document): unknown {
  const { openapi: _, info, ...rest } = document as Document & Informed;
  const { summary: __, ...plainInfo } = info;
  const written = { openapi: '3.0.3', info: plainInfo, ...rest };
  return withoutUnused(written30(oneForm(structuredClone(written) as unknown as Document), ''));
}

interface Informed {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
}

type Node = Readonly<Record<string, unknown>>;

/** The JSON form of each answer, and the first success of each operation. */
function oneForm(document: Document): Document {
  const answers = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .map(({ responses }) => responses);
  for (const responses of answers) {
    const [first, ...others] = Object.keys(responses).filter((status) => /^2/.test(status));
    for (const status of others) delete responses[status];
    const success = responses[first ?? ''];
    if (success === undefined) continue;
    const { content = {} } = resolve<Response>(document, success);
    const [type] = 'application/json' in content ? ['application/json'] : Object.keys(content);
    if (type !== undefined && !('$ref' in success)) {
      success.content = { [type]: formOf(type, content[type]) };
    }
  }
  return oneRefusal(document);
}

/** A price is a refusal with more members, and an operation's refusals are one type. */
function oneRefusal(document: Document): Document {
  const { schemas, responses } = document.components;
  const { Refusal: refusal, PaymentRequired: price } = schemas;
  if (refusal === undefined || price === undefined) throw new Error('no refusal or no price');
  schemas['Refusal'] = { ...refusal, properties: { ...price.properties, ...refusal.properties } };
  const answers = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => Object.values(operation.responses));
  for (const answer of [...answers, ...Object.values(responses ?? {})]) {
    const media = '$ref' in answer ? undefined : answer.content?.['application/json'];
    if (media?.schema?.$ref !== '#/components/schemas/PaymentRequired') continue;
    const schema = { $ref: '#/components/schemas/Refusal' };
    Object.assign(answer, { content: { 'application/json': { ...media, schema } } });
  }
  return document;
}

/** A stream has no type in 3.0: it is text. */
function formOf(type: string, media: Media = {}): Media {
  return type === 'application/json' ? media : { schema: { type: 'string' } };
}

const DATA = new Set(['example', 'default', 'enum', 'const', 'mapping']);
/** Words of JSON Schema that 3.0 does not have. */
const UNKNOWN = [
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'examples',
  'const',
  'propertyNames',
  'patternProperties',
  'prefixItems',
  'contains',
  '$comment',
  '$defs',
];

function written30(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => written30(each, ''));
  const node = value as Node;
  // Members beside a reference are ignored in 3.0; some readers refuse it.
  if (typeof node['$ref'] === 'string') return { $ref: node['$ref'] };
  const isSchema = key !== 'properties' && ('type' in node || 'oneOf' in node || 'const' in node);
  const known = isSchema ? schema30(node) : node;
  return Object.fromEntries(
    Object.entries(known)
      .filter(([name]) => !name.startsWith('x-'))
      .map(([name, each]) => [name, DATA.has(name) ? each : written30(each, name)]),
  );
}

function schema30(schema: Node): Node {
  const rest = Object.fromEntries(
    Object.entries(schema).filter(([name]) => !UNKNOWN.includes(name)),
  );
  const { type, not, ...plain } = rest;
  const kinds = [type ?? []].flat().filter((each) => each !== 'null');
  const only = schema['const'];
  const [shown] = (schema['examples'] ?? []) as readonly unknown[];
  return {
    // Each branch of a choice says its own type; a type beside it makes a second choice of it.
    ...(kinds.length === 1 && !('oneOf' in plain) && { type: kinds[0] }),
    ...([type].flat().includes('null') && { nullable: true }),
    ...plain,
    ...(schema['contentEncoding'] === 'base64' && { format: 'byte' }),
    // Rust has arrays of a fixed length, and serde writes short ones alone.
    ...('minItems' in plain && plain['minItems'] === plain['maxItems'] && { minItems: 0 }),
    ...(only !== undefined && { enum: [only] }),
    // Never false is always true, which a generator makes an enumeration of texts of.
    ...(not !== undefined && type !== 'boolean' && { not }),
    ...(shown !== undefined && !('example' in plain) && { example: shown }),
  };
}

/** Schemas that only the forms which are left out refer to. */
function withoutUnused(document: unknown): unknown {
  const whole = document as Node & { components: Node & { schemas: Record<string, unknown> } };
  const { schemas, ...others } = whole.components;
  const named = new Set<string>();
  const visit = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (named.has(name)) continue;
      named.add(name);
      visit(JSON.stringify(schemas[name]));
    }
  };
  visit(JSON.stringify({ ...whole, components: others }));
  const used = Object.entries(schemas).filter(([name]) => named.has(name));
  return { ...whole, components: { schemas: Object.fromEntries(used), ...others } };
}
