import { isObject, type JsonObject } from '../../jsonObject.ts';

/** Types of the older schema of this form, which writes them in capitals. */
const TYPE = /^(STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT|NULL)$/;
const LEVELS_MAX = 64;
/** Members that hold schemas by names of the caller's own. */
const NAMED: readonly string[] = ['properties', '$defs'];

/** The JSON Schema of a schema of the generateContent form. */
export function plainSchema(schema: unknown, level = 0): unknown {
  if (level > LEVELS_MAX) return schema;
  if (Array.isArray(schema)) return schema.map((each: unknown) => plainSchema(each, level + 1));
  if (!isObject(schema)) return schema;
  const { nullable, propertyOrdering: _order, ...rest } = schema;
  const plain = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, memberOf(name, value, level)]),
  );
  return nullable === true && plain['type'] !== undefined
    ? { ...plain, type: [plain['type'], 'null'] }
    : plain;
}

function memberOf(name: string, value: unknown, level: number): unknown {
  if (name === 'type' && typeof value === 'string' && TYPE.test(value)) return value.toLowerCase();
  if (name === 'enum' || name === 'default' || name === 'example') return value;
  // Whole numbers of 64 bits are texts in this form.
  if (/^(min|max)(Items|Length|Properties)$/.test(name) && typeof value === 'string') {
    return Number(value);
  }
  if (NAMED.includes(name) && isObject(value)) return schemasIn(value, level);
  return plainSchema(value, level + 1);
}

function schemasIn(named: JsonObject, level: number): JsonObject {
  const all = Object.entries(named).map(([name, each]) => [name, plainSchema(each, level + 1)]);
  return Object.fromEntries(all) as JsonObject;
}
