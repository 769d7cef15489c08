import { resolve, type Document, type Schema } from './document.ts';

/** The fields of a body, whichever of its shapes a caller picks. */
export interface BodyShape {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/**
 * Merges a choice of shapes into one shape with the fields of all, since several model hosts refuse
 * `oneOf` at the root of a tool's input. A field that only one shape has says so, and the hub
 * checks a call against the shape that its discriminator names.
 */
export function mergeChoices(document: Document, body: Schema): BodyShape {
  const whole = resolve<Schema>(document, body);
  if (whole.oneOf === undefined) {
    return { properties: whole.properties ?? {}, required: whole.required ?? [] };
  }
  const discriminator = discriminatorOf(whole);
  const shapes = whole.oneOf.map((each) => resolve<Schema>(document, each));
  const tags = shapes.map((shape) => String(shape.properties?.[discriminator]?.['const']));
  const names = [...new Set(shapes.flatMap((shape) => Object.keys(shape.properties ?? {})))];
  const has = (shape: Schema, name: string): boolean => shape.properties?.[name] !== undefined;
  const needs = (shape: Schema, name: string): boolean => shape.required?.includes(name) === true;
  const tagsWhere = (test: (shape: Schema) => boolean): string =>
    tags.filter((_, index) => test(shapes[index] ?? {})).join(' or ');
  const properties = names.map((name): [string, Schema] => {
    const having = shapes.filter((shape) => has(shape, name));
    const needing = shapes.filter((shape) => needs(shape, name));
    const words: string[] = [];
    if (having.length < shapes.length) {
      words.push(`Only when ${discriminator} is ${tagsWhere((shape) => has(shape, name))}.`);
    }
    if (needing.length > 0 && needing.length < having.length) {
      words.push(`Required when ${discriminator} is ${tagsWhere((shape) => needs(shape, name))}.`);
    }
    if (needing.length === having.length && having.length < shapes.length) {
      words.push('Required then.');
    }
    const schema = joined(
      having.map((shape) => ({
        tag: tags[shapes.indexOf(shape)] ?? '',
        schema: shape.properties?.[name] ?? {},
      })),
    );
    return [name, withWords(document, schema, words)];
  });
  return {
    properties: Object.fromEntries(properties),
    required: names.filter((name) => shapes.every((shape) => needs(shape, name))),
  };
}

function discriminatorOf(schema: Schema): string {
  const { propertyName } = (schema['discriminator'] ?? {}) as { readonly propertyName?: string };
  if (propertyName === undefined) throw new Error('a choice of bodies needs a discriminator');
  return propertyName;
}

/**
 * Joins a field of several shapes into one schema: the same, a list of constants, or either. Words
 * that differ are all kept, each behind the tag of its shape.
 */
function joined(shapes: readonly Tagged[]): Schema {
  const [first] = shapes;
  if (first === undefined) return {};
  const bare = shapes.map(({ schema: { description: _, ...rest } }): Schema => rest);
  const same = (parts: readonly unknown[]): boolean =>
    new Set(parts.map((part) => JSON.stringify(part))).size === 1;
  const texts = shapes.map(({ schema }) => schema['description']);
  const description = same(texts)
    ? texts[0]
    : shapes.map(({ tag }, at) => `${tag}: ${String(texts[at] ?? '')}`).join(' ');
  const words = description === undefined ? {} : { description };
  if (same(bare)) return { ...bare[0], ...words };
  if (bare.every((schema) => schema['const'] !== undefined)) {
    const { const: _, ...rest } = bare[0] ?? {};
    return { ...rest, enum: bare.map((schema) => schema['const']), ...words };
  }
  return { anyOf: bare, ...words };
}

interface Tagged {
  readonly tag: string;
  readonly schema: Schema;
}

function withWords(document: Document, schema: Schema, words: readonly string[]): Schema {
  if (words.length === 0) return schema;
  const own = schema['description'] ?? resolve<Schema>(document, schema)['description'];
  const description = [...(typeof own === 'string' ? [own] : []), ...words].join(' ');
  return { ...schema, description };
}
