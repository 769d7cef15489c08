import type { Hub } from './hub.ts';

/** What a part of the hub keeps for each hub of the process, opened when it is first asked for. */
export function perHub<T>(open: (hub: Hub) => T): (hub: Hub) => T {
  const opened = new WeakMap<Hub, { readonly value: T }>();
  return (hub) => {
    const known = opened.get(hub) ?? { value: open(hub) };
    opened.set(hub, known);
    return known.value;
  };
}
