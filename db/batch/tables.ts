import type { SqlObject } from './writeObject.ts';
import { describing } from '../described.ts';
import { guardObjects } from './guards.ts';
import { NOTED_OBJECTS } from './noted.ts';
import type { AnyTable } from './need.ts';
import { lockOrder, writeOrderOf } from './order.ts';
import type { Described } from './table.ts';
import { UNCHANGED } from './versions.ts';

/** Every table that a file of db describes takes part in batches by its description alone. */
const tables = describedIn(describing);

/** In the order in which a batch locks what it reads. */
export const readOrder: readonly AnyTable[] = lockOrder(tables).filter(
  ({ read }) => read !== undefined,
);

/** In the order in which a batch writes. */
export const writeOrder: readonly AnyTable[] = writeOrderOf(tables).filter(isWritten);

/** Those that say whose rows they have. */
export const ownedTables: readonly AnyTable[] = tables.filter(
  ({ personal }) => personal !== undefined,
);

/** Those that are described column by column, as the database has to have them. */
export const describedTables: readonly Described[] = tables.filter(isDescribed);

/** Everything that batches call in the database. */
export const sqlObjects: readonly SqlObject[] = [
  ...tables.flatMap((table) => [
    ...(table.calls ?? []),
    ...[table.insert, table.update, table.remove, table.unmake].filter(
      (object) => object !== undefined,
    ),
  ]),
  ...guardObjects(readOrder),
  UNCHANGED,
  ...NOTED_OBJECTS,
];

/**
 * The tables among what files export. A description that queries alone use has the name of the one
 * that batches use, which writes as well.
 * @throws When two that write have one name, or one names a table that is not among them.
 */
export function describedIn(files: readonly object[]): readonly AnyTable[] {
  const byName = new Map<string, AnyTable>();
  for (const table of files.flatMap((file) => Object.values(file).filter(isTable))) {
    const known = byName.get(table.name);
    if (known !== undefined && isWritten(known) && isWritten(table) && known !== table) {
      throw new Error(`two tables of batches are named ${table.name}`);
    }
    if (known === undefined || !isWritten(known)) byName.set(table.name, table);
  }
  const found = [...byName.values()];
  for (const table of found) {
    const { name, after = [], under = [] } = table;
    const lost = [...after, ...under].find((other) => !found.some((each) => each === other));
    if (lost !== undefined) throw new Error(`${name} names ${lost.name}, which no file exports`);
  }
  const physical = new Map<string, AnyTable[]>();
  for (const each of found.filter(isDescribed)) {
    physical.set(each.table, [...(physical.get(each.table) ?? []), each]);
  }
  for (const [name, descriptions] of physical) {
    const owned = descriptions.filter(({ personal }) => personal !== undefined).length;
    if (owned !== 1) throw new Error(`${owned} descriptions of ${name} say whose rows it has`);
  }
  return found;
}

/** The name in the database of a table that says whose rows it has. */
export function tableNameOf(table: AnyTable): string {
  return isDescribed(table) ? table.table : table.name;
}

export function isDescribed(table: AnyTable): table is AnyTable & Described {
  return 'described' in table;
}

function isTable(value: unknown): value is AnyTable {
  return typeof value === 'object' && value !== null && 'keyCells' in value && 'id' in value;
}

/** Whether batches write it under its own name. */
function isWritten({ insert, update, remove, of }: AnyTable): boolean {
  return of === undefined && (insert ?? update ?? remove) !== undefined;
}
