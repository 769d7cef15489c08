/** Values as JSON gives them, read by whoever cannot trust their shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True of JSON objects; lists are none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of a list; none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
