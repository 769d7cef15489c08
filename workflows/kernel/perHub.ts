import type { Hub } from './hub.ts';

/** Returns the state that a part keeps for each hub of the process, opened at its first use. */
export function perHub<T>(open: (hub: Hub) => T): (hub: Hub) => T {
  const opened = new WeakMap<Hub, { readonly value: T }>();
  return (hub) => {
    const known = opened.get(hub) ?? { value: open(hub) };
    opened.set(hub, known);
    return known.value;
  };
}
