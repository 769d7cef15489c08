import { resolve, type Document, type Schema } from './document.ts';

/** Levels of fields under the root; what lies deeper has its type only. */
const LEVELS = 1;

/**
 * Returns the outline of an answer: names, types and required fields, one level deep, open to more
 * fields. A field that a later hub adds breaks no client, and the whole list of tools stays small
 * enough to be read and compiled on every connection.
 */
export function outline(document: Document, reference: Schema, level = 0): Schema {
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
