import type { Cell } from '../connection.ts';
import type { AnyTable, Need } from './need.ts';

/** The keys that a batch asks a table for, by id. */
export type Asked = ReadonlyMap<AnyTable, ReadonlyMap<string, AskedKey>>;
export interface AskedKey {
  readonly cells: readonly Cell[];
  /** Names the row under whose lock it is read. */
  readonly under?: string | undefined;
  /** All who ask say that no row has it (`Need.isNew`). */
  readonly isNew: boolean;
  /** All who ask only show it (`Need.isShown`). */
  readonly isShown: boolean;
}
export function askedBy(needs: Iterable<Need>): Asked {
  const asked = new Map<AnyTable, Map<string, AskedKey>>();
  for (const each of needs) ask(asked, each);
  return asked;
}

function ask(
  asked: Map<AnyTable, Map<string, AskedKey>>,
  { table, key, isNew = false, isShown = false }: Need,
): void {
  const parent = table.readsUnder?.(key);
  if (parent !== undefined) ask(asked, parent);
  const keys = asked.get(table) ?? new Map<string, AskedKey>();
  if (keys.size === 0) asked.set(table, keys);
  const [id, cells] = [table.id(key), table.keyCells(key)];
  const known = keys.get(id);
  keys.set(id, {
    cells: known === undefined ? cells : (table.joined?.(known.cells, cells) ?? cells),
    under: parent && nameOf(parent),
    isNew: isNew && known?.isNew !== false,
    isShown: isShown && known?.isShown !== false,
  });
}

export function nameOf({ table, key }: Need): string {
  return `${(table.of ?? table).name} ${table.id(key)}`;
}
