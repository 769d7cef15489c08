import type { FullListing } from '../../../db/registry/listings.ts';
import { sha256Hex } from '../../../domain/digest.ts';
import type { Instant } from '../../../domain/instant.ts';
import { tallyOf, type PastProbe } from '../../../domain/registry/history.ts';
import type { Schemas } from '../../kernel/answered.ts';
import { presentListing } from './listing.ts';
import { provenanceOf } from './provenance.ts';

type NextAction = Schemas['NextAction'];

/** The whole record of a listing, with the map of what is claimed and what is measured. */
export function presentRecord(full: FullListing, looks: readonly PastProbe[], now: Instant) {
  const { live, unreachable, unknown, 'not-speaking': notSpeaking } = tallyOf(looks, now);
  const looks30d = { live, notSpeaking, unreachable, unknown };
  const record = { ...presentListing(full, now), looks30d };
  const isHeld = record.passportKeyId !== undefined;
  return {
    ...record,
    provenance: { ...provenanceOf(record) },
    next: nextOf(full.listing.id, record.callWith[0]?.name, isHeld),
  };
}

/** The entity tag of a record as JSON. */
export function recordTag(record: string): string {
  return sha256Hex(record).slice(0, 32);
}

function nextOf(id: string, tool: string | undefined, isHeld: boolean): NextAction[] {
  const calling = (operation: string): NextAction => ({
    action: 'router.call',
    who: 'any signed account',
    call: {
      method: 'POST',
      path: '/api/v1/call',
      body: {
        caller: '<your account>',
        operation,
        arguments: {},
        agentId: id,
      },
    },
    note: 'Put your account into `caller`, and what the tool takes into `arguments`.',
  });
  const call = tool === undefined ? [] : [calling(tool)];
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
  return [...call, standing, ...(isHeld ? [] : [claim])];
}
