import { lockListing, type Claimed } from '../../db/passport/listings.ts';
import { findListing } from '../../db/registry/listings.ts';
import { moveListing } from '../../db/registry/move.ts';
import type { Writer } from '../../db/store.ts';
import type { KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { isByDomain } from '../../domain/passport/proof.ts';
import { refuse } from '../kernel/errors.ts';
import { listingHeld, noSuchListing } from './listing.ts';

const FIELD = 'body.formerly';

/** Without the listing at the new host there is nothing that could go on under the older code. */
export function mustNameNew(formerly: string): never {
  return refuse('not-found', {
    error: `Nothing is named that ${formerly} is to go on as: agentId has the listing that was found at the new host.`,
    hint: 'POST /api/v1/agents has the new origin looked at; its listing is in the answer. Then send both.',
    field: 'body.agentId',
  });
}

/**
 * An owner who proved the domain keeps the code at a new host (interface, Registry code): the
 * listing just taken goes on under it. Returns that code, also on a repeat.
 */
export async function keepCode(
  tx: Writer,
  { keyId, found: foundId, formerly }: { keyId: KeyId; found: string; formerly: string },
  at: Instant,
): Promise<string> {
  const id = await findListing(tx, formerly);
  if (id === foundId) return id;
  const former = id === undefined ? undefined : await lockListing(tx, id);
  if (former === undefined) return noSuchListing(formerly, FIELD);
  const { holder } = former;
  if (holder !== undefined && holder.keyId !== keyId) return listingHeld(former.id, holder, FIELD);
  // As the claim left it.
  const found = (await lockListing(tx, foundId)) ?? noSuchListing(foundId);
  mustBeByDomain(former, former.id, FIELD);
  mustBeByDomain(found, former.id, 'body.agentId');
  if (former.kind !== found.kind || !former.isMain || !found.isMain) {
    return refuse('not-together', {
      error:
        former.kind === found.kind
          ? 'A further endpoint of an origin has the code of its address, which does not move.'
          : `${former.id} speaks ${former.kind} and ${found.id} speaks ${found.kind}: they are not one listing.`,
      hint: `Name the ${found.kind} listing of the former origin; GET /api/v1/passport/${keyId} shows yours. Without formerly the new host keeps its own code.`,
      field: FIELD,
    });
  }
  await moveListing(tx, { former: former.id, found: found.id }, at);
  return former.id;
}

/** A text at an endpoint proves too little for a code to leave its host, or to come to another. */
function mustBeByDomain({ id, host, holder }: Claimed, code: string, field: string): void {
  if (isByDomain(holder?.proof)) return;
  refuse('domain-not-proved', {
    error: `The listing ${id} is not yours by the proof of its domain, ${host}.`,
    hint: `The code ${code} is kept for the account that proved both domains: prove ${host} with POST /api/v1/passport/verify and claim ${id} while that host is yours. Without formerly every host has its own code.`,
    field,
  });
}
