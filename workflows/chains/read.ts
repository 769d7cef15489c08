import { readChain, type StoredChain } from '../../db/chains/chains.ts';
import type { Reader } from '../../db/store.ts';
import { refuse } from '../kernel/errors.ts';

/** Returns the chain of this id; refuses an unknown id. */
export async function chainById(db: Reader, id: string): Promise<StoredChain> {
  return (await readChain(db, id)) ?? noSuchChain();
}

export function noSuchChain(): never {
  return refuse('not-found', {
    error: 'There is no chain with this id.',
    hint: 'GET /api/v1/chains lists the chains.',
  });
}
