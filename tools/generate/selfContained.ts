import { resolve, type Document, type Schema } from './document.ts';

/**
 * A schema that stands alone: references are inlined, except to a schema that contains itself,
 * which goes into `$defs`. The contract's own words (`x-…`, examples, discriminators) are left out.
 */
export interface Writer {
  write(schema: Schema): Schema;
  /** The self-containing schemas that were met; undefined when there were none. */
  defs(): Readonly<Record<string, Schema>> | undefined;
}

const LEFT_OUT = /^(?:x-.*|example|examples|discriminator|mapping)$/;
const COMPONENT = '#/components/schemas/';

export function openWriter(document: Document): Writer {
  const cyclic = cyclicNames(document);
  const defs: Record<string, Schema> = {};

  const write = (schema: Schema): Schema => {
    const { $ref, ...beside } = schema;
    if ($ref === undefined) return plain(schema);
    const name = $ref.slice(COMPONENT.length);
    if (!cyclic.has(name))
      return { ...write(resolve<Schema>(document, { $ref })), ...plain(beside) };
    if (defs[name] === undefined) {
      // Entered before it is filled: writing it meets its own name again.
      defs[name] = {};
      defs[name] = write(resolve<Schema>(document, { $ref }));
    }
    return { $ref: `#/$defs/${name}`, ...plain(beside) };
  };
  const plain = (schema: Schema): Schema =>
    Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => !LEFT_OUT.test(key))
        .map(([key, value]) => [key, inside(key, value)]),
    );
  const inside = (key: string, value: unknown): unknown => {
    if (key === 'properties' || key === 'patternProperties') return each(value, write);
    // A value that a schema gives is no schema, even where it looks like one.
    if (key === 'const' || key === 'enum' || key === 'default') return value;
    if (Array.isArray(value)) return value.map((item: unknown) => inside('', item));
    return isSchema(value) ? write(value) : value;
  };
  return {
    write,
    defs: () => (Object.keys(defs).length === 0 ? undefined : defs),
  };
}

function each(value: unknown, write: (schema: Schema) => Schema): unknown {
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Schema>>).map(([name, schema]) => [
      name,
      write(schema),
    ]),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

/** The components from which a way of references leads back to themselves. */
function cyclicNames(document: Document): ReadonlySet<string> {
  const { schemas } = document.components;
  const edges = new Map(Object.entries(schemas).map(([name, each]) => [name, namesIn(each)]));
  const reaches = (from: string, wanted: string, seen: Set<string>): boolean =>
    [...(edges.get(from) ?? [])].some((next) => {
      if (next === wanted) return true;
      if (seen.has(next)) return false;
      return reaches(next, wanted, seen.add(next));
    });
  return new Set(Object.keys(schemas).filter((name) => reaches(name, name, new Set())));
}

function namesIn(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') names.add(value.slice(COMPONENT.length));
    return LEFT_OUT.test(key) ? undefined : value;
  });
  return names;
}
