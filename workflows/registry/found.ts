import { findListing, listingRows } from '../../db/registry/listings.ts';
import type { Reader } from '../../db/store.ts';
import { type Account, parseKeyId, keyAccount } from '../../domain/account.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import type { Listing } from '../../domain/registry/listing.ts';
import { refuse } from '../kernel/errors.ts';

/** Returns a listing's code, by that code, an older one or its holder's passport key. */
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

export async function listingOf(db: Reader, name: string): Promise<Listing> {
  const [listing] = await listingRows(db, [await listingNamed(db, name)]);
  return listing ?? noSuchListing(name);
}

/** Refuses everybody but the account that holds the listing; `does` says what is its alone. */
export async function mustHold(
  db: Reader,
  listing: Listing,
  account: Account,
  does: string,
): Promise<void> {
  const holder = await holderOf(db, listing);
  if (holder === account) return;
  refuse('not-a-party', {
    error: `Only the account that holds this listing ${does}; ${holder === undefined ? 'it has no holder' : `that is ${holder}`}.`,
    hint: `GET /api/v1/agents/${listing.id}/claim says how its operator takes it over.`,
  });
}

/** Returns the account of the passport that holds it; undefined without a holder. */
export async function holderOf(db: Reader, listing: Listing): Promise<Account | undefined> {
  const { passportKeyId } = listing;
  const keyId = passportKeyId === undefined ? undefined : parseKeyId(passportKeyId);
  if (keyId === undefined) return undefined;
  return (await accountOfKey(db, keyId)) ?? keyAccount(keyId);
}
