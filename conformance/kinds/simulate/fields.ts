/** Reads of the hub, compared with the model; a difference is one line of text. */
export type Body = Readonly<Record<string, unknown>>;

export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((here, step) => (here as Body | null | undefined)?.[step], value);
}

export function compareFields(where: string, seen: Body, wanted: Body): readonly string[] {
  return Object.entries(wanted)
    .filter(([path, value]) => JSON.stringify(at(seen, path)) !== JSON.stringify(value))
    .map(
      ([path, value]) =>
        `${where}: ${path} is ${JSON.stringify(at(seen, path))}, the model says ${JSON.stringify(value)}`,
    );
}
