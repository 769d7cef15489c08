/** The members of an object that can be there, of those that are. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Returns an object without its members of the value `undefined`: an optional member of the wire
 * and of the domain is absent when it has no value, and is never there as `undefined`.
 */
export function defined<T extends object>(members: T): Defined<T> {
  const left: Defined<T> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) left[name] = value as Exclude<T[typeof name], undefined>;
  }
  return left;
}
