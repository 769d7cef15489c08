import type { Asked, AskedKey } from './asked.ts';
import { openCalm, type Calm } from './calm.ts';
import { versionSeen, type AnyTable, type Slot } from './need.ts';

/**
 * Remembers rows that this process read or wrote last, so that the next batch need not read them.
 * The commit compares their versions (guards.ts): a row that another process changed since costs a
 * second try, and is never decided on. On SQLite one number shows whether another process wrote at
 * all. Only tables that are marked `remembered` take part.
 */
export interface RowMemory {
  /** Splits what a batch asks into what has to be read and what is known. */
  recall(asked: Asked): Recalled;
  /** Keeps what a batch found and wrote; its commit gave `version` to what it wrote. */
  keep(asked: Asked, set: Slots, version: string | undefined): void;
  /** Forgets what a batch was decided on that was refused, perhaps because of a table. */
  forget(asked: Asked, refusal: unknown): void;
}

interface Slots {
  tables(): Iterable<AnyTable>;
  slotsOf(table: AnyTable): Iterable<readonly [id: string, slot: Slot]>;
}

export interface Recalled {
  readonly unknown: Asked;
  readonly known: readonly Known[];
}

export interface Known extends Remembered {
  readonly table: AnyTable;
  readonly id: string;
}

interface Remembered {
  /** Undefined where no row was found. */
  readonly row: unknown;
  readonly version: string | undefined;
}

const ROWS_MAX = 20_000;

/** A table that often loses against other processes is read first for some batches. */
const LOST_SHARE_MAX = 0.05;
const READ_BATCHES = 64;

const MISSING: Remembered = { row: undefined, version: undefined };

/** @param hasVersions Whether rows have versions; without them each row is kept. */
export function openRowMemory(hasVersions = true, rowsMax = ROWS_MAX): RowMemory {
  const tables = new Map<AnyTable, Map<string, Remembered>>();
  const calms = new Map<AnyTable, Calm>();
  const rowsOf = (table: AnyTable): Map<string, Remembered> => {
    const rows = tables.get(table) ?? new Map<string, Remembered>();
    tables.set(table, rows);
    return rows;
  };
  const calmOf = (table: AnyTable): Calm => {
    const calm = calms.get(table) ?? openCalm(LOST_SHARE_MAX, READ_BATCHES);
    calms.set(table, calm);
    return calm;
  };
  return {
    recall(asked) {
      const unknown = new Map<AnyTable, ReadonlyMap<string, AskedKey>>();
      const known: Known[] = [];
      for (const [table, keys] of asked) {
        const isCalm = table.remembered !== undefined && calmOf(table).is();
        const left = new Map<string, AskedKey>();
        for (const [id, key] of keys) {
          const isNew = key.isNew || (isCalm && table.remembered === 'new keys');
          const found = isNew ? MISSING : isCalm ? rowsOf(table).get(id) : undefined;
          if (found === undefined) left.set(id, key);
          else known.push({ table, id, ...found });
        }
        if (left.size > 0) unknown.set(table, left);
      }
      return { unknown, known };
    },
    keep(asked, set, version) {
      for (const table of asked.keys()) {
        if (table.remembered !== undefined) calmOf(table).ended(false);
      }
      for (const table of set.tables()) {
        if (table.remembered !== 'rows') continue;
        const rows = rowsOf(table);
        for (const [id, slot] of set.slotsOf(table)) {
          rows.delete(id);
          const of = slot.now === slot.before ? versionSeen(table, slot) : version;
          if (slot.now === undefined || table.finds?.(slot.now) === false) rows.set(id, MISSING);
          else if (of !== undefined || !hasVersions) rows.set(id, { row: slot.now, version: of });
        }
        trim(rows, rowsMax);
      }
    },
    forget(asked, refusal) {
      const name = tableOf(refusal);
      for (const [table, keys] of asked) {
        if (table.remembered === undefined) continue;
        if (table.name === name) calmOf(table).ended(true);
        for (const id of keys.keys()) tables.get(table)?.delete(id);
      }
    },
  };
}

function trim(rows: Map<string, Remembered>, max: number): void {
  for (const id of rows.keys()) {
    if (rows.size <= max) return;
    rows.delete(id);
  }
}

/** PostgreSQL names the table of a refusal. */
function tableOf(refusal: unknown): unknown {
  return refusal instanceof Error && 'table' in refusal ? refusal.table : undefined;
}
