/** The members of an object that can be there, of those that are. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops members that are undefined: on the wire and in the domain an optional member is absent. */
export function defined<T extends object>(members: T): Defined<T> {
  const left: Defined<T> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) left[name] = value as Exclude<T[typeof name], undefined>;
  }
  return left;
}
