import { strict as assert } from 'node:assert';
import type { Effect } from './write.ts';
import type { SqlObject } from './writeObject.ts';
import type { Cell } from '../connection.ts';
import { mustBeListed, type AnyTable, type Slot } from './need.ts';

interface Slots {
  /** The tables of which it has rows, or knows that there are none. */
  tables(): Iterable<AnyTable>;
  slotsOf(table: AnyTable): Iterable<readonly [id: string, slot: Slot]>;
}

/** Returns the changes since the read, in the order in which they are written; deletions last. */
export function effectsOf(set: Slots, order: readonly AnyTable[]): readonly Effect[] {
  const effects: Effect[] = [];
  const removals: Effect[] = [];
  mustBeListed([...set.tables()].filter(isWritten), order, 'written');
  for (const table of order) {
    if (table.isDerived === true) continue;
    const [inserted, updated, removed]: [Cells[], Cells[], Cells[]] = [[], [], []];
    for (const [, { before, now }] of inOrder(table, changedOf(set, table))) {
      const [rows, cells] =
        now === undefined
          ? [removed, table.removed?.(before)]
          : before === undefined
            ? [inserted, table.inserted?.(now)]
            : [updated, table.updated?.(now, before)];
      assert(cells !== undefined, `${table.name} is not written like this`);
      rows.push(cells);
    }
    effects.push(...effectOf(table.insert, inserted), ...effectOf(table.update, updated));
    removals.unshift(...effectOf(table.remove, removed));
  }
  return [...effects, ...removals];
}
type Cells = readonly Cell[];

function isWritten({ isDerived, insert, update, remove }: AnyTable): boolean {
  return isDerived !== true && (insert ?? update ?? remove) !== undefined;
}

function changedOf(set: Slots, table: AnyTable): (readonly [string, Slot])[] {
  const changed: (readonly [string, Slot])[] = [];
  for (const each of set.slotsOf(table)) if (each[1].now !== each[1].before) changed.push(each);
  return changed;
}

/** Sorts rows by id, so that batches that insert the same rows wait in turn without a deadlock. */
function inOrder(
  { insert, update }: AnyTable,
  changed: (readonly [string, Slot])[],
): readonly (readonly [string, Slot])[] {
  if (insert === undefined || update === undefined) return changed;
  return changed.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Deletes the rows that the reading made for what was then refused. */
export function unmadeOf(set: Slots, order: readonly AnyTable[]): readonly Effect[] {
  return order.flatMap((table): readonly Effect[] => {
    if (table.unmade === undefined) return [];
    const rows: Cells[] = [];
    for (const [, { before, now }] of set.slotsOf(table)) {
      const cells = now === before && before !== undefined ? table.unmade(before) : undefined;
      if (cells !== undefined) rows.push(cells);
    }
    return effectOf(table.unmake, rows);
  });
}

function effectOf(object: SqlObject | undefined, rows: readonly Cells[]): readonly Effect[] {
  if (rows.length === 0) return [];
  assert(object !== undefined, 'rows have an object that writes them');
  return [{ name: object.name, rows }];
}
