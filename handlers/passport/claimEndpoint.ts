import { lockListing, type Claimed } from '../../db/passport/listings.ts';
import { findListing, listingRows } from '../../db/registry/listings.ts';
import type { Reader } from '../../db/store.ts';
import type { KeyId } from '../../domain/account.ts';
import { keyToken } from '../../domain/passport/proof.ts';
import type { Listing } from '../../domain/registry/listing.ts';
import { admitNow } from '../../workflows/kernel/admission.ts';
import type { Signer } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { addressOf } from '../../workflows/registry/address.ts';
import { textAtEndpoint } from '../../workflows/passport/endpointText.ts';
import { listingHeld, noSuchListing } from '../../workflows/passport/listing.ts';
import { mustOwn, ownPassport } from '../../workflows/passport/own.ts';
import { takeCheck } from '../../workflows/passport/quota.ts';
import { takeListings } from '../../workflows/passport/take.ts';
import { presentClaimed } from './present.ts';

/**
 * Takes a listing by a text at its endpoint, read again now. This weaker proof yields to the
 * domain's and to a later text without its key, and by itself earns nothing by the router.
 */
export const claimEndpoint: Handler<'passport.claimEndpoint'> = async ({ body, caller }, hub) => {
  const { keyId, agentId } = body;
  const { account } = caller;
  const listing = await hub.store.read(async (db) => {
    await mustOwn(db, caller, keyId);
    return listingNamed(db, agentId);
  });
  const { id, passportKeyId, verification } = listing;
  const isOwn = passportKeyId === keyId;
  if (passportKeyId !== undefined && verification !== undefined && !isOwn) {
    mayMove(id, { keyId: passportKeyId, proof: verification });
  }
  const keys = isOwn ? [] : await keysNow(hub, caller, listing, keyId);
  const claimed = await hub.act({ caller }, async (tx) => {
    await ownPassport(tx, hub, caller, keyId);
    const { holder } = (await lockListing(tx, id)) ?? noSuchListing(agentId);
    const answering = { account, keyId, ids: [id] };
    if (holder?.keyId === keyId) return presentClaimed(tx, { ...answering, karmaMoved: 0 });
    if (holder !== undefined) mayMove(id, holder, keys);
    const taking = { keyId, proof: 'endpoint', at: hub.clock.now() } as const;
    const karmaMoved = await takeListings(tx, [id], account, taking);
    return presentClaimed(tx, { ...answering, karmaMoved });
  });
  return { status: 200, body: claimed };
};

async function listingNamed(db: Reader, agentId: string): Promise<Listing> {
  const id = await findListing(db, agentId);
  const [listing] = id === undefined ? [] : await listingRows(db, [id]);
  return listing ?? noSuchListing(agentId);
}

/** A domain's proof stands against any text; another text stands while it can be read. */
function mayMove(
  id: string,
  holder: NonNullable<Claimed['holder']>,
  seen?: readonly KeyId[],
): void {
  const stands = seen?.some((key) => key === holder.keyId) ?? false;
  if (holder.proof !== 'endpoint' || stands) listingHeld(id, holder);
}

/** The keys that the endpoint names now, the asked one among them. */
async function keysNow(
  hub: Hub,
  caller: Signer,
  listing: Listing,
  keyId: KeyId,
): Promise<readonly KeyId[]> {
  addressOf(hub, listing.endpoint, 'body.agentId');
  await admitNow(hub, caller);
  await takeCheck(hub, listing.origin, caller);
  const text = await textAtEndpoint(hub, listing);
  const { where } = text;
  if (text.kind === 'silent') {
    return refuse('endpoint-not-dialable', {
      error: `The hub asked for ${where} just now and could not read it: ${text.message}`.slice(
        0,
        2_000,
      ),
      hint: `\`GET /api/v1/verify?url=${encodeURIComponent(listing.endpoint)}\` shows what the hub sees there. Make it answer, and send the call again.`,
      field: 'body.agentId',
    });
  }
  const { keys } = text;
  if (keys.includes(keyId)) return keys;
  const names = keys.length === 0 ? 'no key' : `only ${keys.join(', ')}`;
  return refuse('proof-not-found', {
    error: `The hub read ${where} just now, and it names ${names}.`,
    hint: `Put the text ${keyToken(keyId)} into it, then send this again.`,
    field: 'body.agentId',
  });
}
