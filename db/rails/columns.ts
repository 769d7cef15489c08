import { chainHash, evmAddress, type ChainHash, type EvmAddress } from '../../domain/rails/evm.ts';
import { column, type Column } from '../batch/columns.ts';
import { text, textOf } from '../columns.ts';
import type { Row } from '../connection.ts';

/** Columns that hold values of a chain; one of the wrong form is a bug or damage, and throws. */
export function address(row: Row, name: string): EvmAddress {
  return evmAddress(text(row, name));
}

export function hashOrNull(row: Row, name: string): ChainHash | null {
  return row[name] === null ? null : chainHash(text(row, name));
}

export function oneOf<T extends string>(row: Row, name: string, known: readonly T[]): T {
  const found = known.find((each) => each === row[name]);
  if (found === undefined) throw new Error(`column ${name} holds ${String(row[name])}`);
  return found;
}

export function addressColumn(): Column<EvmAddress> {
  return column<EvmAddress>('text', String, (cell, name) => evmAddress(textOf(cell, name)));
}

export function hashColumn(): Column<ChainHash> {
  return column<ChainHash>('text', String, (cell, name) => chainHash(textOf(cell, name)));
}

/** A whole number of any size, as text. */
export function wideColumn(): Column<bigint> {
  return column<bigint>('text', String, (cell, name) => BigInt(textOf(cell, name)));
}
