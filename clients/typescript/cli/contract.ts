import { readFileSync } from 'node:fs';
import { contractOf, type ContractOperation } from './contractOf.ts';

/**
 * The operations of the contract that this version was made for. The package's build puts them in
 * place of this file, since the whole document is ten times as large.
 */
export function contract(): readonly ContractOperation[] {
  return (read ??= contractOf(JSON.parse(readFileSync(FILE, 'utf8'))));
}

const FILE = new URL('../../../generated/openapi.json', import.meta.url);
let read: readonly ContractOperation[] | undefined;
