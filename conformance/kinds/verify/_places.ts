/** Places in a JSON value, and copies of it that differ in one of them. */
export type Path = readonly (string | number)[];
export interface Spot {
  readonly path: Path;
  readonly value: unknown;
}

/** Every member and entry of a value at any depth, the outer ones first. */
export function spotsOf(value: unknown, path: Path = []): readonly Spot[] {
  return entriesOf(value).flatMap(([name, member]) => {
    const inner = [...path, name];
    return [{ path: inner, value: member }, ...spotsOf(member, inner)];
  });
}

/** The objects in a value, itself among them. */
export function objectsOf(value: unknown): readonly Spot[] {
  return [{ path: [], value }, ...spotsOf(value)].filter(
    (spot) => typeof spot.value === 'object' && spot.value !== null && !Array.isArray(spot.value),
  );
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, name) => entriesOf(inner).find(([each]) => each === name)?.[1],
    value,
  );
}

/** A copy with another value at a place; a member that is not there is added. */
export function withValue(value: unknown, path: Path, put: unknown): unknown {
  return changed(value, path, (entries, name) => {
    const there = entries.some(([each]) => each === name);
    const swapped = entries.map((entry) => (entry[0] === name ? ([name, put] as const) : entry));
    return there ? swapped : [...swapped, [name, put]];
  });
}

/** A copy without the member or entry at a place. */
export function without(value: unknown, path: Path): unknown {
  return changed(value, path, (entries, name) => entries.filter(([each]) => each !== name));
}

/** The members of an object or the entries of a list, without their names. */
export function membersOf(value: unknown): readonly unknown[] {
  return entriesOf(value).map(([, member]) => member);
}

export type Entry = readonly [name: string | number, value: unknown];

function changed(
  value: unknown,
  [name, ...rest]: Path,
  change: (entries: readonly Entry[], name: string | number) => readonly Entry[],
): unknown {
  if (name === undefined) throw new RangeError('the whole value has no place in itself');
  const entries = entriesOf(value);
  if (rest.length === 0) return rebuilt(value, change(entries, name));
  const inner = entries.map(([each, member]): Entry => [
    each,
    each === name ? changed(member, rest, change) : member,
  ]);
  return rebuilt(value, inner);
}

/** `Object.fromEntries` defines members, so that `__proto__` too becomes one. */
function rebuilt(like: unknown, entries: readonly Entry[]): unknown {
  if (Array.isArray(like)) return entries.map(([, member]) => member);
  return Object.fromEntries(entries);
}

export function entriesOf(value: unknown): readonly Entry[] {
  if (Array.isArray(value)) return value.map((member: unknown, at): Entry => [at, member]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value);
}
