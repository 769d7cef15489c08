import { readListing } from '../../db/registry/listings.ts';
import { probesOf } from '../../db/registry/probes.ts';
import { tallyOf } from '../../domain/registry/history.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { listingNamed, noSuchListing } from '../../workflows/registry/found.ts';
import { presentListing } from './present/listing.ts';
import { provenanceOf } from './present/provenance.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';

type NextAction = components['schemas']['NextAction'];

/** The whole record, with the map of who claims and who measured what. */
export const get: Handler<'registry.get'> = async ({ path }, hub) => {
  const found = await hub.store.read(async (db) => {
    const full = await readListing(db, await listingNamed(db, path.id));
    if (full === undefined) return undefined;
    const { id } = full.listing;
    return { full, looks: (await probesOf(db, [id])).get(id) ?? [] };
  });
  if (found === undefined) return noSuchListing(path.id);
  const { full, looks } = found;
  const now = hub.clock.now();
  const { live, unreachable, unknown, 'not-speaking': notSpeaking } = tallyOf(looks, now);
  const looks30d = { live, notSpeaking, unreachable, unknown };
  const record = { ...presentListing(full, now), looks30d };
  return {
    status: 200,
    body: {
      ...record,
      provenance: { ...provenanceOf(record) },
      ...UNTRUSTED_LISTINGS,
      next: nextOf(full.listing.id, record.callWith[0]?.name, record.passportKeyId !== undefined),
    },
  };
};

function nextOf(id: string, tool: string | undefined, isHeld: boolean): NextAction[] {
  const call: NextAction = {
    action: 'router.call',
    who: 'any signed account',
    call: {
      method: 'POST',
      path: '/api/v1/call',
      body: {
        caller: '<your account>',
        operation: tool ?? '<operation>',
        arguments: {},
        agentId: id,
      },
    },
  };
  const standing: NextAction = {
    action: 'registry.reputation',
    who: 'anyone',
    call: { method: 'GET', path: `/api/v1/agents/${id}/reputation` },
  };
  const claim: NextAction = {
    action: 'registry.claimSteps',
    who: 'its operator',
    call: { method: 'GET', path: `/api/v1/agents/${id}/claim` },
  };
  return isHeld ? [call, standing] : [call, standing, claim];
}
