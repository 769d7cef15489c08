import { readFileSync } from 'node:fs';
import { contractOf, type ContractOperation } from './contractOf.ts';

/**
 * The operations of the contract that this version was made for. The package's build puts them in
 * place of this file, since the whole document is ten times as large.
 */
export function contract(): readonly ContractOperation[] {
  const file = new URL('../../../generated/openapi.json', import.meta.url);
  return contractOf(JSON.parse(readFileSync(file, 'utf8')));
}
