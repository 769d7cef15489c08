import { lockDomains } from '../../db/passport/domains.ts';
import {
  LISTINGS_MAX,
  lockListing,
  lockOpenListings,
  type Claimed,
} from '../../db/passport/listings.ts';
import { findListing } from '../../db/registry/listings.ts';
import type { Writer } from '../../db/store.ts';
import type { KeyId } from '../../domain/account.ts';
import type { ProvedDomain } from '../../domain/passport/domain.ts';
import {
  documentUrl,
  keyDocument,
  keyToken,
  hasRecords,
  recordName,
} from '../../domain/passport/proof.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { listingHeld, noSuchListing } from '../../workflows/passport/listing.ts';
import { ownPassport } from '../../workflows/passport/own.ts';
import { keepCode, mustNameNew } from '../../workflows/passport/movedHost.ts';
import { takeListings } from '../../workflows/passport/take.ts';
import { presentClaimed } from './present.ts';

/** Takes one listing on a proved domain, or all that have no holder (choices passport.claims). */
export const claim: Handler<'passport.claim'> = async (call, hub) => {
  const { caller } = call;
  const { keyId, agentId, formerly } = call.body;
  if (formerly !== undefined && agentId === undefined) mustNameNew(formerly);
  const { account } = caller;
  const claimed = await hub.once(call, async (tx) => {
    const at = hub.clock.now();
    await ownPassport(tx, hub, caller, keyId);
    const standing = (await lockDomains(tx, keyId)).filter(
      ({ missingSince }) => missingSince === undefined,
    );
    const wanted =
      agentId === undefined
        ? await openOn(tx, standing, keyId)
        : [await oneOn(tx, standing, keyId, agentId)];
    let karmaMoved = 0;
    for (const { domain, method: proof } of standing) {
      const ids = wanted
        .filter(({ host, holder }) => host === domain && !isSettled(holder, keyId))
        .map(({ id }) => id);
      karmaMoved += await takeListings(tx, ids, account, { keyId, proof, at });
    }
    const taken = wanted.map(({ id }) => id);
    const [found] = taken;
    const isMove = formerly !== undefined && found !== undefined;
    const ids = isMove ? [await keepCode(tx, { keyId, found, formerly }, at)] : taken;
    return presentClaimed(tx, { account, keyId, ids, karmaMoved });
  });
  return { status: 200, body: claimed };
};

/** Held by this key on more than a text at its endpoint, which the domain's proof outranks. */
function isSettled(holder: Claimed['holder'], keyId: KeyId): boolean {
  return holder !== undefined && holder.keyId === keyId && holder.proof !== 'endpoint';
}

async function openOn(
  tx: Writer,
  domains: readonly ProvedDomain[],
  keyId: KeyId,
): Promise<readonly Claimed[]> {
  const found: Claimed[] = [];
  for (const { domain } of domains) found.push(...(await lockOpenListings(tx, domain, keyId)));
  return found.slice(0, LISTINGS_MAX);
}

/** The other place of a proof; an address has no records. */
function orRecord(origin: string, keyId: KeyId): string {
  const { hostname } = new URL(origin);
  return hasRecords(hostname)
    ? `, or a TXT record ${recordName(hostname)} with ${keyToken(keyId)}`
    : '';
}

async function oneOn(
  tx: Writer,
  domains: readonly ProvedDomain[],
  keyId: KeyId,
  agentId: string,
): Promise<Claimed> {
  const id = await findListing(tx, agentId);
  const listing = id === undefined ? undefined : await lockListing(tx, id);
  if (listing === undefined) return noSuchListing(agentId);
  const { host, origin, holder } = listing;
  if (holder?.keyId === keyId && holder.proof === 'hosted') return listing;
  if (!domains.some(({ domain }) => domain === host)) {
    if (holder?.keyId === keyId) return listing;
    return refuse('domain-not-proved', {
      error: `The listing ${listing.id} stands on ${host}, which your passport has not proved.`,
      hint: `Publish ${keyDocument(keyId)} at ${documentUrl(origin)}${orRecord(origin, keyId)}; then POST /api/v1/passport/verify {"origin": "${origin}", "keyId": "${keyId}"}.`,
      field: 'body.agentId',
    });
  }
  const isTaken = holder !== undefined && holder.keyId !== keyId && holder.proof !== 'endpoint';
  return isTaken ? listingHeld(listing.id, holder) : listing;
}
