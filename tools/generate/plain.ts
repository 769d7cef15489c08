import {
  eachOperation,
  resolve,
  type Document,
  type Media,
  type Operation,
  type Response,
  type Schema,
} from './document.ts';

/**
 * Rewrites the document so that all generators read it: inline schemas get names, fixed values are
 * inlined, a link's body is text. `readable.test.ts` has the shapes that some tool cannot read.
 */
export function makePlain(document: Document): void {
  for (const { operation } of eachOperation(document)) {
    nameBodies(document, operation);
    linksAsText(operation);
  }
  inlineFixed(document);
  document.components.schemas = spellOutNull(document, document.components.schemas);
  excludeTheOther(document.paths);
  excludeTheOther(document.components);
}

/** `tasks.publish` takes a `TasksPublishRequest`; its answers have names from the source. */
function nameBodies(document: Document, operation: Operation): void {
  const [area = '', verb = ''] = operation.operationId.split('.');
  const request = operation.requestBody?.content['application/json'];
  if (request !== undefined) name(document, request, `${upper(area)}${upper(verb)}Request`);
  for (const [status, reference] of Object.entries(operation.responses)) {
    const media = resolve<Response>(document, reference).content?.['application/json'];
    if (media?.schema?.properties === undefined) continue;
    const given = media.schema['x-name'];
    if (given === undefined) {
      throw new Error(`${operation.operationId} ${status}: name the answer, by x-name or a file`);
    }
    name(document, media, String(given));
  }
}

function name(document: Document, media: Media, called: string): void {
  const { schema } = media;
  if (schema === undefined || schema.$ref !== undefined) return;
  const { 'x-name': given = called, ...rest } = schema;
  const own = String(given);
  const { schemas } = document.components;
  if (schemas[own] !== undefined) throw new Error(`two schemas are called ${own}`);
  schemas[own] = rest;
  Object.assign(media, { schema: { $ref: `#/components/schemas/${own}` } });
}

/** Writes a link's body as JSON text with `{expressions}`: widespread parsers take only text. */
function linksAsText(operation: Operation): void {
  for (const response of Object.values(operation.responses)) {
    const links = ('links' in response ? response.links : {}) as Record<string, Link>;
    for (const link of Object.values(links ?? {})) {
      if (link.requestBody === undefined || typeof link.requestBody === 'string') continue;
      link.requestBody = JSON.stringify(link.requestBody, (_, value: unknown) =>
        typeof value === 'string' && value.startsWith('$') ? `{${value}}` : value,
      );
    }
  }
}

interface Link {
  requestBody?: unknown;
}

/** A class of one value has no name in most languages: `true` is written where it is meant. */
function inlineFixed(document: Document): void {
  const { schemas } = document.components;
  const isFixed = ({ type, const: value }: Schema): boolean =>
    value !== undefined && type !== 'string';
  const fixed = Object.entries(schemas).filter(([, schema]) => isFixed(schema));
  const places = new Map(fixed.map(([named, schema]) => [`#/components/schemas/${named}`, schema]));
  for (const [named] of fixed) delete schemas[named];
  const write = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inside] of Object.entries(value)) {
      const reference = (inside as { readonly $ref?: string } | null)?.$ref;
      const meant = reference === undefined ? undefined : places.get(reference);
      if (meant === undefined) write(inside);
      else {
        const { $ref: _, ...beside } = inside as Schema;
        (value as Record<string, unknown>)[key] = { ...meant, ...beside };
      }
    }
  };
  write(document.paths);
  write(document.components);
}

/** Writes a boolean `const` as `not`: Python and Java make an enumeration of texts of constants. */
function excludeTheOther(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inside of Object.values(value)) excludeTheOther(inside);
  const schema = value as Record<string, unknown>;
  if (schema['type'] !== 'boolean' || typeof schema['const'] !== 'boolean') return;
  const { const: only } = schema;
  delete schema['const'];
  schema['not'] = { const: !only };
}

/** Makes a component of "component or null": typed languages have no `type: null` alone. */
function spellOutNull(
  document: Document,
  schemas: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  const named: Record<string, Schema> = {};
  const write = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(write);
    const { oneOf, 'x-name': called, description } = value as Schema;
    const [other, nothing] = oneOf ?? [];
    if (other !== undefined && nothing?.type === 'null') {
      const target = resolve<Schema>(document, other);
      const values = target.enum === undefined ? {} : { enum: [...target.enum, null] };
      named[String(called)] = { ...target, ...values, type: [String(target.type), 'null'] };
      return { $ref: `#/components/schemas/${String(called)}`, description };
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, write(each)]));
  };
  const written = write(schemas) as Record<string, Schema>;
  return { ...written, ...named };
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const INT32_MAX = 2 ** 31 - 1;
/** Values of these are data, not schemas. */
const DATA = ['example', 'examples', 'default'];

/**
 * States the width of each integer that may need more than 32 bits, which is what generators of
 * typed languages take otherwise. It is for them alone: the hub's types and validators have none.
 */
export function addWidths(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { type, enum: values, const: only, ...rest } = value as Schema;
  const most = rest.maximum ?? rest['x-clamp'] ?? Infinity;
  const isOpen = values === undefined && only === undefined && most > INT32_MAX;
  if (isOpen && [type].flat().includes('integer')) Object.assign(value, { format: 'int64' });
  for (const [key, part] of Object.entries(value)) if (!DATA.includes(key)) addWidths(part);
}
