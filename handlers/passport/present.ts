import { domainsOf } from '../../db/passport/domains.ts';
import { heldBy, type HeldListing } from '../../db/passport/listings.ts';
import type { Passport } from '../../db/passport/passports.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import { keyEnd } from '../../db/wallet/policies.ts';
import type { Reader } from '../../db/store.ts';
import { keyAccount, type Account, type KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { ProvedDomain } from '../../domain/passport/domain.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { UNTRUSTED_PROFILES } from '../untrusted.ts';
import { presentStanding } from './present/standing.ts';

export async function presentPassport(
  db: Reader,
  passport: Passport,
  now: Instant,
): Promise<Schemas['Passport']> {
  const { keyId, displayName, bio, createdAt } = passport;
  const owner = await accountOfKey(db, keyId);
  return {
    keyId,
    owner: owner ?? keyAccount(keyId),
    keyLive: owner !== undefined && (await keyEnd(db, keyId, owner, now)) === undefined,
    displayName,
    bio,
    domains: (await domainsOf(db, keyId)).map(presentDomain),
    listings: (await heldBy(db, keyId)).map(presentHeld),
    karma: await presentStanding(db, owner ?? keyAccount(keyId)),
    createdAt,
    ...UNTRUSTED_PROFILES,
  };
}

function presentDomain(of: ProvedDomain): Schemas['DomainBadge'] {
  const { domain, method, provedAt, lastConfirmedAt, nextCheckAt, missingSince } = of;
  return {
    domain,
    method,
    provedAt,
    lastConfirmedAt,
    nextCheckAt,
    missingSince,
  };
}

function presentHeld(held: HeldListing): Schemas['PassportListing'] {
  const { id, kind, name, origin, endpoint, availability, verification, claimedAt } = held;
  const shown = { id, kind, name, origin, endpoint, availability, verification };
  return { ...shown, claimedAt };
}

export async function presentClaimed(
  db: Reader,
  { account, keyId, ids, karmaMoved }: Answering,
): Promise<Schemas['ClaimedListings']> {
  const asked = new Set(ids);
  const claimed = (await heldBy(db, keyId)).filter(({ id }) => asked.has(id)).map(presentHeld);
  return {
    keyId,
    count: claimed.length,
    claimed,
    karmaMoved,
    karma: await presentStanding(db, account),
    ...UNTRUSTED_PROFILES,
  };
}

export interface Answering {
  readonly account: Account;
  readonly keyId: KeyId;
  readonly ids: readonly string[];
  readonly karmaMoved: number;
}
