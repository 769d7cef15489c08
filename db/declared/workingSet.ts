import { strict as assert } from 'node:assert';
import type { Effect } from '../batch/write.ts';
import type { SqlObject } from '../batch/writeObject.ts';
import type { Cell, Dialect } from '../connection.ts';
import type { LedgerMemory } from '../ledger/memory.ts';
import type { NotedEvent } from '../noted.ts';
import { TOPIC_LENGTH_MAX } from '../unitOfWork.ts';
import { need, type AnyTable, type Need, type Table } from './table.ts';
import type { Attempt, Decider, DeclaredUnit } from './unit.ts';

type Cells = readonly Cell[];
interface Slot {
  readonly before: unknown;
  now: unknown;
}
const UNTOUCHED: Slot = { before: undefined, now: undefined };
/** The keys that a batch asks a table for, as JSON cells by id. */
export type Asked = ReadonlyMap<AnyTable, ReadonlyMap<string, Cells>>;
export function askedBy(needs: Iterable<Need>): Asked {
  const asked = new Map<AnyTable, Map<string, Cells>>();
  for (const each of needs) ask(asked, each);
  return asked;
}

/** Ends an attempt of a transaction that reads rows which its batch has not loaded. */
class RowsMissing extends Error {
  override readonly name = 'RowsMissing';
}
const ROWS_MISSING = new RowsMissing('rows are missing; the runtime loads them and runs it again');

function ask(asked: Map<AnyTable, Map<string, Cells>>, { table, key }: Need): void {
  const keys = asked.get(table) ?? new Map<string, Cells>();
  if (keys.size === 0) asked.set(table, keys);
  const [id, cells] = [table.id(key), table.keyCells(key)];
  const known = keys.get(id);
  keys.set(id, known === undefined ? cells : (table.joined?.(known, cells) ?? cells));
}

/** Where the rows that a table reads are found and put. */
function homeOf(table: AnyTable): AnyTable {
  return table.of ?? table;
}

/** The rows that a batch decides on. What a refused unit put is taken back. */
export class WorkingSet implements Decider {
  readonly dialect: Dialect;
  readonly ledger: LedgerMemory;
  posted: string[] = [];
  readonly noted: NotedEvent[] = [];
  readonly topics: string[] = [];
  readonly hooks: (() => void)[] = [];
  readonly #slots = new Map<AnyTable, Map<string, Slot>>();
  #undo: (() => void)[] = [];
  #missing: readonly Need[] = [];

  constructor(dialect: Dialect, ledger: LedgerMemory) {
    this.dialect = dialect;
    this.ledger = ledger;
  }

  /** Makes room for rows that are about to be loaded, and for those that are not there. */
  expect(asked: Asked): void {
    for (const [table, keys] of asked) {
      const slots = this.#slots.get(homeOf(table)) ?? new Map<string, Slot>();
      for (const id of keys.keys()) slots.set(id, { before: undefined, now: undefined });
      this.#slots.set(homeOf(table), slots);
    }
  }

  /** Takes in what the read answered for a table: JSON text of a list of rows. */
  load(table: AnyTable, text: unknown): void {
    const rows = typeof text === 'string' ? (JSON.parse(text) as readonly unknown[][]) : [];
    for (const cells of rows) {
      const found = table.found?.(cells);
      assert(found !== undefined, `${table.name} is not read`);
      const [id, row] = found;
      this.#slots.get(homeOf(table))?.set(id, { before: row, now: row });
    }
  }

  /** Takes over what a batch changed that was written since this set was read. */
  follow(earlier: WorkingSet): void {
    for (const [table, slots] of this.#slots) {
      const changed = earlier.#slots.get(table);
      for (const id of changed === undefined ? [] : slots.keys()) {
        const { before, now } = changed?.get(id) ?? UNTOUCHED;
        if (now !== before) slots.set(id, { before: now, now });
      }
    }
  }

  run(unit: DeclaredUnit<unknown>): Attempt {
    this.posted = [];
    this.#undo = [];
    this.#missing = [];
    const noted = this.noted.length;
    let admitted = 0;
    let attempt: Attempt;
    try {
      unit.admit?.(this);
      admitted = this.#undo.length;
      attempt = { ok: true, answer: unit.decide(this) };
    } catch (error) {
      attempt = { ok: false, error };
    }
    // A transaction that caught the end of its attempt has decided on rows that it did not see.
    if (this.#missing.length > 0) attempt = { ok: undefined, missing: this.#missing };
    if (attempt.ok !== true) {
      this.#undoTo(attempt.ok === undefined ? 0 : admitted);
      this.noted.length = noted;
    }
    return attempt;
  }

  #undoTo(length: number): void {
    while (this.#undo.length > length) this.#undo.pop()?.();
  }

  find<Key, Row>(table: Table<Key, Row>, key: Key): Row | undefined {
    return this.#slotOf(table, key).now as Row | undefined;
  }

  ask(needs: readonly Need[]): void {
    const missing = needs.filter(({ table, key }) => !this.#isLoaded(table, key));
    if (missing.length > 0) this.#miss(missing);
  }

  #isLoaded(table: AnyTable, key: unknown): boolean {
    return this.#slots.get(homeOf(table))?.has(table.id(key)) === true;
  }

  #slotOf<Key, Row>(table: Table<Key, Row>, key: Key): Slot {
    const slot = this.#slots.get(homeOf(table as AnyTable))?.get(table.id(key));
    return slot ?? this.#miss([need(table, key)]);
  }

  #miss(needs: readonly Need[]): never {
    for (const { table, key } of needs) {
      assert(table.read !== undefined, `${table.name} ${table.id(key)} cannot be read`);
    }
    this.#missing = needs;
    throw ROWS_MISSING;
  }

  put<Key, Row>(table: Table<Key, Row>, key: Key, row: Row): void {
    const slots = this.#slots.get(table as AnyTable) ?? new Map<string, Slot>();
    this.#slots.set(table as AnyTable, slots);
    const id = table.id(key);
    // A table that is never read holds new rows only; of any other the row is loaded first.
    const slot = table.read === undefined ? slots.get(id) : this.#slotOf(table, key);
    if (slot === undefined) {
      slots.set(id, { before: undefined, now: row });
      this.#undo.push(() => slots.delete(id));
    } else {
      const { now } = slot;
      slot.now = row;
      this.#undo.push(() => (slot.now = now));
    }
  }

  /** Deletes a row that was found. */
  remove<Key, Row>(table: Table<Key, Row>, key: Key): void {
    const slot = this.#slotOf(table, key);
    const { now } = slot;
    slot.now = undefined;
    this.#undo.push(() => (slot.now = now));
  }

  publish(topic: string): void {
    assert(topic.length > 0 && topic.length <= TOPIC_LENGTH_MAX, 'a topic has 1 to 200 characters');
    this.topics.push(topic);
    this.#undo.push(() => this.topics.pop());
  }

  afterCommit(run: () => void): void {
    this.hooks.push(run);
    this.#undo.push(() => this.hooks.pop());
  }

  /** What differs from what was read, in the order in which it is to be written; deletions last. */
  effects(order: readonly AnyTable[]): readonly Effect[] {
    const effects: Effect[] = [];
    const removals: Effect[] = [];
    for (const table of order) {
      if (table.isDerived === true) continue;
      const [inserted, updated, removed]: [Cells[], Cells[], Cells[]] = [[], [], []];
      for (const { before, now } of this.#slots.get(table)?.values() ?? []) {
        if (now === before) continue;
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

  /** Takes back the rows that the reading made for what was then refused. */
  unmade(order: readonly AnyTable[]): readonly Effect[] {
    return order.flatMap((table): readonly Effect[] => {
      if (table.unmade === undefined) return [];
      const rows: Cells[] = [];
      for (const { before, now } of this.#slots.get(table)?.values() ?? []) {
        const cells = now === before && before !== undefined ? table.unmade(before) : undefined;
        if (cells !== undefined) rows.push(cells);
      }
      return effectOf(table.unmake, rows);
    });
  }
}

function effectOf(object: SqlObject | undefined, rows: readonly Cells[]): readonly Effect[] {
  if (rows.length === 0) return [];
  assert(object !== undefined, 'rows have an object that writes them');
  return [{ name: object.name, rows }];
}
