import { readFileSync } from 'node:fs';
import { contractOf, type ContractOperation } from './contractOf.ts';

/** This version's operations; the build puts them in place of the document, ten times as large. */
export function contract(): readonly ContractOperation[] {
  return (read ??= contractOf(JSON.parse(readFileSync(FILE, 'utf8'))));
}

const FILE = new URL('../../../generated/openapi.json', import.meta.url);
let read: readonly ContractOperation[] | undefined;
