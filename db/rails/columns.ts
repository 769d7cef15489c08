import { chainHash, evmAddress, type ChainHash, type EvmAddress } from '../../domain/rails/evm.ts';
import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import { text } from '../columns.ts';
import type { Row } from '../connection.ts';

/** Columns that hold values of a chain; one of the wrong form is a bug or damage, and throws. */
export function address(row: Row, name: string): EvmAddress {
  return evmAddress(text(row, name));
}

export function hash(row: Row, name: string): ChainHash {
  return chainHash(text(row, name));
}

export function hashOrNull(row: Row, name: string): ChainHash | null {
  return row[name] === null ? null : hash(row, name);
}

export function network(row: Row, name: string): NetworkId {
  const found = parseNetworkId(text(row, name));
  if (found === undefined) throw new Error(`not a network: ${text(row, name)}`);
  return found;
}

export function oneOf<T extends string>(row: Row, name: string, known: readonly T[]): T {
  const found = known.find((each) => each === row[name]);
  if (found === undefined) throw new Error(`column ${name} holds ${String(row[name])}`);
  return found;
}
