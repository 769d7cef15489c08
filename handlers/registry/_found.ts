import { findListing } from '../../db/registry/listings.ts';
import type { Reader } from '../../db/store.ts';
import { refuse } from '../../server/errors.ts';

/** The code of the listing that a path names by its code, an older one or its holder's passport key. */
export async function listingNamed(db: Reader, name: string): Promise<string> {
  return (await findListing(db, name)) ?? noSuchListing(name);
}

export function noSuchListing(name: string): never {
  return refuse('not-found', {
    error: `No listing has the code ${name}, and no passport of that key holds one.`,
    hint: 'GET /api/v1/agents?q=<words> finds listings; POST /api/v1/agents has an origin looked at.',
    field: 'path.id',
  });
}
