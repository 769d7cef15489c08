import { grantsMadeBy, type GrantOn } from '../../db/memory/spaces.ts';
import { domainsOf } from '../../db/passport/domains.ts';
import { heldBy, type HeldListing } from '../../db/passport/listings.ts';
import type { Reader } from '../../db/store.ts';
import type { Account, KeyId } from '../../domain/account.ts';
import type { ProvedDomain } from '../../domain/passport/domain.ts';

/** As many of each kind as an answer shows. */
const SHOWN_MAX = 100;

/** The things that a key made and that its revocation leaves with the account. */
export interface Remains {
  readonly grants: readonly GrantOn[];
  readonly domains: readonly ProvedDomain[];
  readonly listings: readonly HeldListing[];
}

export async function remainsOfKey(db: Reader, account: Account, keyId: KeyId): Promise<Remains> {
  return {
    grants: await grantsMadeBy(db, account, keyId, SHOWN_MAX),
    domains: (await domainsOf(db, keyId)).slice(0, SHOWN_MAX),
    listings: (await heldBy(db, keyId)).slice(0, SHOWN_MAX),
  };
}
