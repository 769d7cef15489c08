/**
 * Places inside a JSON value. Invariant: a place is found through own members alone, so a key that
 * every object inherits (`constructor`, `__proto__`) is missing unless the value really holds it.
 */
export type PathParse =
  { readonly steps: readonly string[] } | { readonly steps?: never; readonly why: string };

const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,9})$/;
const BAD_POINTER_ESCAPE = /~(?![01])/;

/**
 * A path starting with `/`, or empty, is an RFC 6901 pointer. Any other is dotted: `\.` is a dot in
 * a key, digits index lists, a leading `$.` is ignored (choices acceptance.kinds).
 */
export function parsePath(path: string): PathParse {
  if (path === '' || path.startsWith('/')) return parsePointer(path);
  const dotted = path.startsWith('$.') ? path.slice(2) : path;
  const steps = dotted.split(/(?<!\\)\./).map((step) => step.replaceAll('\\.', '.'));
  return steps.includes('')
    ? { why: 'a dotted path has an empty step; write a JSON Pointer to name an empty key' }
    : { steps };
}

function parsePointer(pointer: string): PathParse {
  if (pointer === '') return { steps: [] };
  if (BAD_POINTER_ESCAPE.test(pointer)) return { why: 'a ~ in a JSON Pointer is ~0 or ~1' };
  const steps = pointer.slice(1).split('/');
  return { steps: steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) };
}

export function pointerStep(step: string | number): string {
  return `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function pointerOf(steps: readonly string[]): string {
  return steps.map(pointerStep).join('');
}

export type Found = { readonly value: unknown } | undefined;

export function lookup(root: unknown, steps: readonly string[]): Found {
  let value = root;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !ARRAY_INDEX.test(step)) return undefined;
    const member = Object.getOwnPropertyDescriptor(value, step);
    if (member === undefined) return undefined;
    value = member.value;
  }
  return { value };
}
