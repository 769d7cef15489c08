import { readFileSync } from 'node:fs';
import { contractOf, type ContractOperation } from './contractOf.ts';

/** Returns the operations of this version; the package's build puts them in place of this file. */
export function contract(): readonly ContractOperation[] {
  return (read ??= contractOf(JSON.parse(readFileSync(FILE, 'utf8'))));
}

const FILE = new URL('../../../generated/openapi.json', import.meta.url);
let read: readonly ContractOperation[] | undefined;
