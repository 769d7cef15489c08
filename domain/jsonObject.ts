/** Values as JSON gives them, for code that cannot trust their shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Clients send unset members as null. Below `levels`, as in a JSON Schema, null has a meaning. */
export function withoutNulls(value: unknown, levels: number): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutNulls(each, levels));
  if (!isObject(value) || levels === 0) return value;
  const set = Object.entries(withoutUnset(value));
  return Object.fromEntries(set.map(([name, each]) => [name, withoutNulls(each, levels - 1)]));
}

export function withoutUnset(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
