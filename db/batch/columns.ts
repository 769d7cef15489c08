import type { Account, KeyId } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import { accountOf, textOf, wholeOf, wrong } from '../columns.ts';
import type { Cell } from '../connection.ts';

/**
 * Columns convert values to cells of JSON and back. A cell of the wrong kind is a bug or a damaged
 * file, and throws.
 */
export type ColumnRole = 'key' | 'numbered' | 'fixed' | 'guard' | 'plain' | 'counted';

type Marks = 'key' | 'fixed' | 'guard' | 'counted' | 'numbered' | 'optional' | 'orNull';

export class Column<T, Optional extends boolean = false, Key extends boolean = false> {
  readonly type: 'text' | 'int';
  readonly role: ColumnRole;
  readonly isOptional: boolean;
  /** The value of the row where the database has NULL; absent from the row when undefined. */
  readonly empty?: null;
  readonly toCell: (value: T) => Cell;
  readonly fromCell: (cell: unknown, name: string) => T;
  /** Types only; no value has it. */
  declare readonly is: { readonly optional: Optional; readonly key: Key };

  constructor(parts: Omit<Column<T>, Marks | 'is'>) {
    this.type = parts.type;
    this.role = parts.role;
    this.isOptional = parts.isOptional;
    if (parts.empty === null) this.empty = null;
    this.toCell = parts.toCell;
    this.fromCell = parts.fromCell;
  }

  key(): Column<T, Optional, true> {
    return new Column<T, Optional, true>({ ...this, role: 'key' });
  }

  /** Set when the row is inserted; no update changes it. */
  fixed(): Column<T, Optional, Key> {
    return new Column<T, Optional, Key>({ ...this, role: 'fixed' });
  }

  /** An update applies only to a row that still has the value that was read. */
  guard(): Column<T, Optional, Key> {
    return new Column<T, Optional, Key>({ ...this, role: 'guard' });
  }

  /** Numbered by the database: read and never written. */
  counted(): Column<T, Optional, Key> {
    return new Column<T, Optional, Key>({ ...this, role: 'counted' });
  }

  /** A key that the database numbers: read and never written. */
  numbered(): Column<T, Optional, true> {
    return new Column<T, Optional, true>({ ...this, role: 'numbered' });
  }

  /** NULL in the database, and null in the row as well. */
  orNull(): Column<T | null, false, Key> {
    const toCell = (value: T | null): Cell => (value === null ? null : this.toCell(value));
    return new Column<T | null, false, Key>({ ...this, isOptional: true, empty: null, toCell });
  }

  /** NULL in the database, and absent from the row. */
  optional(): Column<T, true, Key> {
    return new Column<T, true, Key>({ ...this, isOptional: true });
  }
}

export function column<T>(
  type: 'text' | 'int',
  toCell: (value: T) => Cell,
  fromCell: (cell: unknown, name: string) => T,
): Column<T> {
  return new Column<T>({ type, role: 'plain', isOptional: false, toCell, fromCell });
}

function same<T extends Cell>(value: T): Cell {
  return value;
}

/** Text of any kind; a narrower type is what the code wrote there. */
export function text(): Column<string>;
export function text<T extends string>(): Column<T>;
export function text<T extends string>(): Column<T> {
  return column<T>('text', same, (cell, name) => textOf(cell, name) as T);
}

export function oneOf<const T extends string>(values: readonly T[]): Column<T> {
  return column<T>('text', same, (cell, name) => {
    const found = values.find((value) => value === cell);
    if (found === undefined) throw wrong(name, cell);
    return found;
  });
}

/** A whole number up to 2^53 - 1. */
export function integer(): Column<number>;
export function integer<T extends number>(): Column<T>;
export function integer<T extends number>(): Column<T> {
  return column<T>('int', same, (cell, name) => wholeOf(cell, name) as T);
}

export function flag(): Column<boolean> {
  return column<boolean>(
    'int',
    (value) => (value ? 1 : 0),
    (cell, name) => wholeOf(cell, name) === 1,
  );
}

/** Milliseconds since 1970. */
export function moment(): Column<Instant> {
  return column<Instant>('int', same, (cell, name) => instant(wholeOf(cell, name)));
}

/** An amount in atomic units, not negative. */
export function amount(): Column<Atomic> {
  return column<Atomic>('int', Number, (cell, name) => atomic(signedOf(cell, name)));
}

/** An amount in atomic units, of either sign. */
export function signedAmount(): Column<bigint> {
  return column<bigint>('int', Number, signedOf);
}

export function account(): Column<Account> {
  return column<Account>('text', same, accountOf);
}

export function keyId(): Column<KeyId> {
  return column<KeyId>('text', same, (cell, name) => textOf(cell, name) as KeyId);
}

export function network(): Column<NetworkId> {
  return column<NetworkId>('text', same, (cell, name) => {
    const found = parseNetworkId(textOf(cell, name));
    if (found === undefined) throw wrong(name, cell);
    return found;
  });
}

/** JSON text that was written from a value of this very type. */
export function json<T>(): Column<T> {
  return column<T>(
    'text',
    (value) => JSON.stringify(value),
    (cell, name) => JSON.parse(textOf(cell, name)) as T,
  );
}

function signedOf(cell: unknown, name: string): bigint {
  return BigInt(wholeOf(cell, name));
}
