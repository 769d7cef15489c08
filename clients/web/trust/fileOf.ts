/** A pasted or dropped text: the hub's list of keys, an object to check, or neither. */
export type DroppedFile =
  { readonly kind: 'keys' | 'object'; readonly value: unknown } | { readonly kind: 'none' };

export function fileOf(text: string): DroppedFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'none' };
  }
  if (typeof value !== 'object' || value === null) return { kind: 'none' };
  const isKeys = Array.isArray(Reflect.get(value, 'keys')) && !Object.hasOwn(value, 'body');
  return { kind: isKeys ? 'keys' : 'object', value };
}
