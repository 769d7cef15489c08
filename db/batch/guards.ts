import { sha256Hex } from '../../domain/digest.ts';
import type { Cell, Row } from '../connection.ts';
import type { Asked, AskedKey } from './asked.ts';
import { versionSeen, type AnyTable, type Slot } from './need.ts';
import type { Effect } from './write.ts';
import { stale } from './versions.ts';
import { postgresFunction, type SqlObject } from './writeObject.ts';

/**
 * A batch on PostgreSQL reads without a lock. Its commit, one statement, takes the locks of the
 * locked way in the same order, and finds that each thing it was decided on is still so (optimistic
 * concurrency control; choices store.serializable): rows by their versions, what is summed or
 * listed by a digest of the answer.
 */
interface Guards {
  readonly lock?: SqlObject;
  readonly check?: SqlObject;
}

const made = new Map<AnyTable, Guards>();

/** The functions by which the rows of a table are locked and compared. */
function guardsOf(table: AnyTable): Guards {
  const known = made.get(table);
  if (known !== undefined) return known;
  const { name, lock, read, guard } = table;
  const guards = {
    ...(lock !== undefined && { lock: lockObject(name, lock) }),
    ...(guard !== undefined && { check: guard }),
    ...(guard === undefined &&
      read?.postgres.includes(KEYS_CELL) === true && {
        check: answerGuard(name, read.postgres),
      }),
  };
  made.set(table, guards);
  return guards;
}

const KEYS_CELL = '?::jsonb[]';

function lockObject(name: string, lock: string): SqlObject {
  return postgresFunction(
    `${name}_lock`,
    `(cells jsonb[]) RETURNS void LANGUAGE plpgsql AS $lock$
      BEGIN
        ${lock.replace('SELECT', 'PERFORM').replace(KEYS_CELL, 'cells')};
      END $lock$`,
  );
}

/** Compares the text that a reading answers with that of the batch; the first cell has its digest. */
function answerGuard(name: string, read: string): SqlObject {
  return postgresFunction(
    `${name}_guard`,
    `(cells jsonb[]) RETURNS void LANGUAGE plpgsql AS $guard$
      DECLARE answer text;
      BEGIN
        answer := (${read.replace(KEYS_CELL, 'cells[2:]')});
        IF encode(sha256(convert_to(coalesce(answer, ''), 'UTF8')), 'hex') <> cells[1] ->> 0
        THEN ${stale(name)} END IF;
      END $guard$`,
  );
}

export function guardObjects(tables: readonly AnyTable[]): readonly SqlObject[] {
  return tables.flatMap((table) => {
    const { lock, check } = guardsOf(table);
    return [lock, check].filter((object) => object !== undefined);
  });
}

/** Most batches ask for neither, so their keys are not copied. */
function isPlain(keys: Keys): boolean {
  for (const { isNew, isShown } of keys.values()) if (isNew || isShown) return false;
  return true;
}

interface Decided {
  slot(table: AnyTable, id: string): Slot | undefined;
}

/** Returns what the commit has to check, in the order in which batches lock. */
export function guardEffects(
  order: readonly AnyTable[],
  asked: Asked,
  row: Row | undefined,
  set: Decided,
): readonly Effect[] {
  const locks: Effect[] = [];
  const checks: Effect[] = [];
  for (const table of order) {
    const keys = comparedOf(table, asked.get(table), set);
    if (keys === undefined) continue;
    const { lock, check } = guardsOf(table);
    if (lock !== undefined) locks.push({ name: lock.name, rows: cellsOf(keys) });
    if (check === undefined) continue;
    const rows =
      table.guard === undefined
        ? [[sha256Hex(textOf(row, table))], ...cellsOf(keys)]
        : versions(table, keys, set);
    if (rows.length > 0) checks.push({ name: check.name, rows });
  }
  return [...locks, ...checks];
}

const NONE: Slot = { before: undefined, now: undefined };

type Keys = NonNullable<ReturnType<Asked['get']>>;

/**
 * The keys whose rows have to be as they were read: not what an answer only shows, and not an id
 * that was made for a row, whose insertion refuses another one. A digest is of all that was read.
 */
function comparedOf(table: AnyTable, keys: Keys | undefined, set: Decided): Keys | undefined {
  if (keys === undefined || isPlain(keys)) return keys;
  let isShownAlone = true;
  const left = new Map<string, AskedKey>();
  for (const [id, key] of keys) {
    const { isNew, isShown } = key;
    isShownAlone &&= isShown;
    const isMade = isNew && set.slot(table, id)?.now !== undefined;
    if (!isMade && !(isShown && table.guard !== undefined)) left.set(id, key);
  }
  return isShownAlone || left.size === 0 ? undefined : left;
}

function cellsOf(keys: Keys): readonly (readonly Cell[])[] {
  return [...keys.values()].map(({ cells }) => cells);
}

function versions(table: AnyTable, keys: Keys, set: Decided): readonly (readonly Cell[])[] {
  const rows: (readonly Cell[])[] = [];
  for (const [id, { cells }] of keys) {
    const slot = set.slot(table, id) ?? NONE;
    // Its insertion refuses another row of that key.
    const isNewKey = table.remembered === 'new keys' && slot.now !== undefined;
    if (!isNewKey || slot.before !== undefined)
      rows.push([...cells, versionSeen(table, slot) ?? null]);
  }
  return rows;
}

function textOf(row: Row | undefined, { name }: AnyTable): string {
  const text = row?.[name];
  return typeof text === 'string' ? text : '';
}
