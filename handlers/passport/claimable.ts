import { claimable as claimableListings } from '../../db/passport/listings.ts';
import { readPassport } from '../../db/passport/passports.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import { keyAccount } from '../../domain/account.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { claimCall, verifyCall } from '../../workflows/passport/nextCalls.ts';
import { noSuchPassport } from '../../workflows/passport/own.ts';
import { UNTRUSTED_PROFILES } from '../untrusted.ts';

/** Listings that the crawler found on the passport's proved domains and that have no holder. */
export const claimable: Handler<'passport.claimable'> = async ({ path: { keyId } }, hub) => {
  const [found, account] = await hub.store.read(async (db) => {
    if ((await readPassport(db, keyId)) === undefined) noSuchPassport(keyId);
    return [await claimableListings(db, keyId), await accountOfKey(db, keyId)];
  });
  const listings = found.map(({ id, kind, name, origin, endpoint, domain, karma, firstSeenAt }) => {
    const shown = { id, kind, name, origin, endpoint, domain, karma };
    return { ...shown, firstSeenAt };
  });
  const who = account ?? keyAccount(keyId);
  return {
    status: 200,
    body: {
      keyId,
      count: listings.length,
      listings,
      ...UNTRUSTED_PROFILES,
      next: [listings.length > 0 ? claimCall(who, keyId) : verifyCall(who, keyId)],
    },
  };
};
