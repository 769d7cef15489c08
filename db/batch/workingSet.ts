import { strict as assert } from 'node:assert';
import type { Instant } from '../../domain/instant.ts';
import type { Dialect } from '../connection.ts';
import type { LedgerMemory } from '../ledger/memory.ts';
import type { NotedEvent } from '../noted.ts';
import { spendingOf, type Spending } from '../spender.ts';
import { TOPIC_LENGTH_MAX } from '../unitOfWork.ts';
import { nameOf, type Asked } from './asked.ts';
import type { Known } from './memory.ts';
import { need, type AnyTable, type Need, type Slot, type Table } from './need.ts';
import { Left, ROWS_MISSING } from './leaving.ts';
import { steadyOf, type Steady } from './steady.ts';
import type { Attempt, Decider, Transaction } from './transaction.ts';

const UNTOUCHED: Slot = { before: undefined, now: undefined };
type Listed = ReturnType<NonNullable<AnyTable['lists']>['found']>;

function homeOf(table: AnyTable): AnyTable {
  return table.of ?? table;
}

/**
 * The rows that a batch decides on, and all that a decision sees of the database. A row has a slot:
 * as it was read, as it is to be written, and its version. `find` of a row without a slot ends the
 * attempt, and the batch reads it and runs the transaction again. What a refused transaction put is
 * taken back by its undo steps, down to what it admitted. A row under a parent that an earlier
 * transaction of this batch wrote under may be missing here, so one that looks it up runs later.
 */
export class WorkingSet implements Decider {
  readonly dialect: Dialect;
  readonly ledger: LedgerMemory;
  spending: Spending | undefined;
  posted: string[] = [];
  readonly noted: NotedEvent[] = [];
  readonly topics: string[] = [];
  readonly hooks: (() => void)[] = [];
  readonly #slots = new Map<AnyTable, Map<string, Slot>>();
  #undo: (() => void)[] = [];
  #missing: readonly Need[] = [];
  /** It looked up what an earlier transaction of the batch has added to, so it runs after the batch. */
  #isTooLate = false;
  /** Rows under which a transaction of this batch wrote, with its place in the batch. */
  readonly #writtenUnder = new Map<string, number[]>();
  /** Ids of the rows that the transaction at hand inserted. */
  #added = new Map<AnyTable, string[]>();
  #run = 0;
  #steady: Steady = { ids: [], runs: 0 };
  #idsGiven = 0;

  constructor(dialect: Dialect, ledger: LedgerMemory) {
    this.dialect = dialect;
    this.ledger = ledger;
  }

  /** Makes room for rows that are about to be loaded, and for those that are not there. */
  expect(asked: Asked): void {
    for (const [table, keys] of asked) {
      const slots = this.#slots.get(homeOf(table)) ?? new Map<string, Slot>();
      for (const [id, { under }] of keys) {
        if (!slots.has(id)) slots.set(id, { before: undefined, now: undefined, under });
      }
      this.#slots.set(homeOf(table), slots);
    }
  }

  /** Takes in what the read answered for a table: JSON text of a list of rows. */
  load(table: AnyTable, text: unknown, hasVersions = false): void {
    const rows = typeof text === 'string' ? (JSON.parse(text) as readonly unknown[][]) : [];
    for (const cells of rows) {
      if (table.lists !== undefined) {
        this.#loadListed(table, table.lists.found(cells));
        continue;
      }
      const found = table.found?.(cells);
      assert(found !== undefined, `${table.name} is not read`);
      const [id, row] = found;
      const version = hasVersions && table.guard !== undefined ? cells.at(-1) : undefined;
      this.#fill(homeOf(table), id, row, version as string | undefined);
    }
  }

  /** Keeps a row that was read before: this very batch may have changed it since. */
  #fill(home: AnyTable, id: string, row: unknown, version?: string): void {
    const slots = this.#slots.get(home) ?? new Map<string, Slot>();
    this.#slots.set(home, slots);
    const slot = slots.get(id) ?? UNTOUCHED;
    if (slot.before === undefined && slot.now === undefined)
      slots.set(id, { ...slot, before: row, now: row, version });
    // A list found the row as well, in the same statement.
    else if (version !== undefined) slots.set(id, { ...slot, version });
  }

  /** Takes in a row that is remembered, or that it is missing. */
  recall({ table, id, row, version }: Known): void {
    this.#fill(homeOf(table), id, row, version);
  }

  #loadListed(list: AnyTable, { list: id, id: rowId, row }: Listed): void {
    const home = list.lists?.table;
    assert(home !== undefined, 'a list is of a table');
    this.#fill(home, rowId, row);
    const slots = this.#slots.get(list);
    const slot = slots?.get(id);
    assert(slot !== undefined, 'a list is found by what it was asked by');
    const ids = [...((slot.now ?? []) as readonly string[]), rowId];
    slots?.set(id, { before: ids, now: ids, under: slot.under });
  }

  /** Takes over what a batch changed that was written since this set was read. */
  follow(earlier: WorkingSet): void {
    for (const [table, slots] of this.#slots) {
      const others = earlier.#slots.get(table);
      for (const [id, { under }] of slots) {
        const { before, now } = others?.get(id) ?? UNTOUCHED;
        // A lookup that the earlier batch may have added to is read again.
        if (under !== undefined && earlier.#writtenUnder.has(under)) slots.delete(id);
        else if (now !== before) slots.set(id, { before: now, now, under });
      }
    }
  }

  run(unit: Transaction<unknown>): Attempt {
    this.posted = [];
    this.spending = unit.spender && { ...spendingOf(unit.spender), ...unit.spender };
    this.#undo = [];
    this.#missing = [];
    this.#isTooLate = false;
    this.#added = new Map();
    this.#run += 1;
    this.#steady = steadyOf(unit);
    this.#steady.runs += 1;
    this.#idsGiven = 0;
    const noted = this.noted.length;
    let admitted = 0;
    let isKept = true;
    let attempt: Attempt;
    try {
      unit.admit?.(this);
      admitted = this.#undo.length;
      attempt = { ok: true, answer: unit.decide(this) };
    } catch (error) {
      isKept = false;
      attempt = error instanceof Left ? { ok: true, answer: error.answer } : { ok: false, error };
    }
    // A transaction that caught the end of its attempt has decided on rows that it did not see.
    if (this.#missing.length > 0 || this.#isTooLate) {
      attempt = { ok: undefined, missing: this.#missing };
    }
    if (attempt.ok === undefined || !isKept) {
      this.#undoTo(attempt.ok === undefined ? 0 : admitted);
      this.noted.length = noted;
    }
    return attempt;
  }

  #undoTo(length: number): void {
    while (this.#undo.length > length) this.#undo.pop()?.();
  }

  find<Key, Row>(table: Table<Key, Row>, key: Key): Row | undefined {
    const { now, under } = this.#slotOf(table, key);
    const runs = under === undefined ? undefined : this.#writtenUnder.get(under);
    if (runs?.some((run) => run !== this.#run) === true) this.runLater();
    return now as Row | undefined;
  }

  list<Key, Row>(list: Table<Key, readonly Row[]>, key: Key): readonly Row[] {
    const ids = (this.find(list, key) ?? []) as unknown as readonly string[];
    const rows = list.lists && this.#slots.get(list.lists.table);
    assert(rows !== undefined || ids.length === 0, 'the rows of a list are read with it');
    return ids.flatMap((id) => {
      const row = rows?.get(id)?.now as Row | undefined;
      return row === undefined ? [] : [row];
    });
  }

  added<Key, Row>(table: Table<Key, Row>): readonly Row[] {
    const slots = this.#slots.get(table as AnyTable);
    return (this.#added.get(table as AnyTable) ?? []).flatMap((id) => {
      const row = slots?.get(id)?.now as Row | undefined;
      return row === undefined ? [] : [row];
    });
  }

  newId(ids: { uuid(): string }): string {
    const id = this.#steady.ids[this.#idsGiven] ?? ids.uuid();
    this.#steady.ids[this.#idsGiven] = id;
    this.#idsGiven += 1;
    return id;
  }

  startedAt(clock: { now(): Instant }): Instant {
    return (this.#steady.startedAt ??= clock.now());
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
    // A table that is never read holds new rows only; of any other the row is loaded first.
    if (table.read !== undefined) this.#slotOf(table, key);
    this.insert(table, key, row);
  }

  insert<Key, Row>(table: Table<Key, Row>, key: Key, row: Row): void {
    const slots = this.#slots.get(table as AnyTable) ?? new Map<string, Slot>();
    this.#slots.set(table as AnyTable, slots);
    const id = table.id(key);
    const slot = slots.get(id);
    this.#writeUnder(table, row);
    if ((slot?.now ?? slot?.before) === undefined) {
      const added = this.#added.get(table as AnyTable) ?? [];
      added.push(id);
      this.#added.set(table as AnyTable, added);
    }
    if (slot === undefined) {
      slots.set(id, { before: undefined, now: row });
      this.#undo.push(() => slots.delete(id));
    } else {
      const { now } = slot;
      slot.now = row;
      this.#undo.push(() => (slot.now = now));
    }
  }

  #writeUnder<Key, Row>(table: Table<Key, Row>, row: Row): void {
    const parent = table.parent?.(row);
    if (parent === undefined) return;
    assert(this.#isLoaded(parent.table, parent.key), `${nameOf(parent)} is locked before`);
    const runs = this.#writtenUnder.get(nameOf(parent)) ?? [];
    this.#writtenUnder.set(nameOf(parent), runs);
    runs.push(this.#run);
    this.#undo.push(() => runs.pop());
  }

  remove<Key, Row>(table: Table<Key, Row>, key: Key): void {
    const slot = this.#slotOf(table, key);
    const { now } = slot;
    if (now !== undefined) this.#writeUnder(table, now as Row);
    slot.now = undefined;
    this.#undo.push(() => (slot.now = now));
  }

  runLater(): never {
    this.#isTooLate = true;
    throw ROWS_MISSING;
  }

  leave(answer: unknown): never {
    throw new Left(answer);
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

  slot(table: AnyTable, id: string): Slot | undefined {
    return this.#slots.get(homeOf(table))?.get(id);
  }

  /** Whether a transaction of this batch wrote under the lock of a row. */
  hasWrittenUnder(parent: string): boolean {
    return (this.#writtenUnder.get(parent)?.length ?? 0) > 0;
  }

  tables(): Iterable<AnyTable> {
    return this.#slots.keys();
  }

  slotsOf(table: AnyTable): Iterable<readonly [string, Slot]> {
    return this.#slots.get(table) ?? [];
  }
}
