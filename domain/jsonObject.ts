/** Values as JSON gives them, for code that cannot trust their shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True of JSON objects; lists are none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of a list; none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The value without the null members of its outer objects, `levels` deep. Many clients write an
 * unset member as null; what lies deeper, such as a JSON Schema, may mean its nulls.
 */
export function withoutNulls(value: unknown, levels: number): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutNulls(each, levels));
  if (!isObject(value) || levels === 0) return value;
  const set = Object.entries(withoutUnset(value));
  return Object.fromEntries(set.map(([name, each]) => [name, withoutNulls(each, levels - 1)]));
}

/** The same of one object, at its top. */
export function withoutUnset(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
