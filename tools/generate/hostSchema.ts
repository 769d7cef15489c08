import type { Schema } from './document.ts';

/**
 * The schema of a tool's arguments in the words that every host takes: one word that one of them
 * refuses costs the whole list (docs/mcp.md has who refuses what). What is left out is said by the
 * description, and by the refusal of a call that breaks it.
 */
const REFUSED = new Set([
  'uniqueItems',
  'contentEncoding',
  'contentMediaType',
  'not',
  '$defs',
  'propertyNames',
]);
/** Formats of text that all read. */
const FORMATS = new Set(['date-time']);
/** Words whose values are no schemas. */
const VALUES = new Set(['default', 'required']);

type Defs = Readonly<Record<string, Schema>>;

/** @param within Names of the definitions that the schema stands in, which it may name again. */
export function forHosts(schema: Schema, defs: Defs = {}, within: readonly string[] = []): Schema {
  const { $ref, const: constant, enum: values, oneOf, ...rest } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    // A reference is not followed by some hosts, so what contains itself is written out once.
    const own = within.includes(name)
      ? { type: 'object', description: `Another of the same kind, ${name}.` }
      : forHosts(defs[name] ?? {}, defs, [...within, name]);
    return { ...own, ...forHosts(rest, defs, within) };
  }
  const entries = Object.entries(rest)
    .filter(
      ([key, value]) =>
        !REFUSED.has(key) &&
        !(key === 'format' && !FORMATS.has(String(value))) &&
        !(key === 'type' && oneOf !== undefined),
    )
    .map(([key, value]) => [key, inside(key, value, defs, within)] as const);
  return {
    ...Object.fromEntries(entries),
    ...(typeof constant === 'string' && { enum: [constant] }),
    ...(values !== undefined && limitsOf(values)),
    ...(oneOf && { anyOf: oneOf.map((each) => forHosts(each, defs, within)) }),
  };
}

/** Words are listed; of numbers the least and the most are said. */
function limitsOf(values: readonly unknown[]): Schema {
  const numbers = values.map(Number);
  return values.every((value) => typeof value === 'string')
    ? { enum: values }
    : { minimum: Math.min(...numbers), maximum: Math.max(...numbers) };
}

function inside(key: string, value: unknown, defs: Defs, within: readonly string[]): unknown {
  if (VALUES.has(key) || typeof value !== 'object' || value === null) return value;
  if (key === 'properties') {
    return Object.fromEntries(
      Object.entries(value as Defs).map(([name, each]) => [name, forHosts(each, defs, within)]),
    );
  }
  if (Array.isArray(value)) return value.map((each: Schema) => forHosts(each, defs, within));
  return forHosts(value as Schema, defs, within);
}
