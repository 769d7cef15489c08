import type { AnyTable, Related } from './need.ts';

/** A table and one that comes behind it. */
type Arrow = readonly [first: Related, then: Related];

/**
 * The order in which batches lock what they read: rows under their parents, and what money is for
 * before the money (`after`). Tables that are locked by a statement of their own come first.
 */
export function lockOrder(tables: readonly AnyTable[]): readonly AnyTable[] {
  const isFirst = ({ lock }: AnyTable): boolean => lock !== undefined;
  const classes = [tables.filter(isFirst), tables.filter((table) => !isFirst(table))];
  const up = tables.flatMap((table) => parentsOf(table).map((parent): Arrow => [table, parent]));
  const ancestors = reachable(up);
  const arrows = tables.flatMap((table): readonly Arrow[] => [
    ...parentsOf(table).map((parent): Arrow => [parent, table]),
    ...(table.after ?? []).flatMap((named) =>
      [named, ...(ancestors.get(named) ?? [])].map((each): Arrow => [table, each]),
    ),
  ]);
  const behind = reachable(arrows);
  return classes.flatMap((some) => sorted(some, behind, 'locked'));
}

/** The order in which batches write: what is named goes before what names it. */
export function writeOrderOf(tables: readonly AnyTable[]): readonly AnyTable[] {
  const arrows = tables.flatMap((table) =>
    [...parentsOf(table), ...(table.after ?? [])].map((first): Arrow => [first, table]),
  );
  return sorted(tables, reachable(arrows), 'written');
}

function parentsOf({ under = [], parent, readsUnder }: AnyTable): readonly Related[] {
  return [...under, parent?.table, readsUnder?.table].filter((table) => table !== undefined);
}

/** The tables behind each, by however many arrows. */
function reachable(arrows: readonly Arrow[]): ReadonlyMap<Related, ReadonlySet<Related>> {
  const next = new Map<Related, Related[]>();
  for (const [first, then] of arrows) next.set(first, [...(next.get(first) ?? []), then]);
  const behind = (table: Related): ReadonlySet<Related> => {
    const seen = new Set<Related>();
    const open = [...(next.get(table) ?? [])];
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      if (seen.has(each)) continue;
      seen.add(each);
      open.push(...(next.get(each) ?? []));
    }
    return seen;
  };
  return new Map([...next.keys()].map((table) => [table, behind(table)]));
}

/** By name where nothing else decides, so that each process has the same order. */
function sorted(
  tables: readonly AnyTable[],
  behind: ReadonlyMap<Related, ReadonlySet<Related>>,
  how: string,
): readonly AnyTable[] {
  const left = [...tables].sort((a, b) => (a.name < b.name ? -1 : 1));
  const order: AnyTable[] = [];
  while (left.length > 0) {
    const at = left.findIndex((table) =>
      left.every((other) => other === table || behind.get(other)?.has(table) !== true),
    );
    const table = left[at];
    if (table === undefined) {
      const circle = left.map(({ name }) => name).join(', ');
      throw new Error(`these tables are each ${how} before another of them: ${circle}`);
    }
    order.push(table);
    left.splice(at, 1);
  }
  return order;
}
