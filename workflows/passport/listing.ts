import type { Claimed } from '../../db/passport/listings.ts';
import { refuse } from '../kernel/errors.ts';

/** Refusals that both ways of taking a listing share. */
export function noSuchListing(agentId: string, field = 'body.agentId'): never {
  return refuse('not-found', {
    error: `No listing has the code ${agentId}.`,
    hint: 'GET /api/v1/agents?q=<words> finds listings; POST /api/v1/agents has an origin looked at.',
    field,
  });
}

type Holder = NonNullable<Claimed['holder']>;

const HELD_BY: Readonly<Record<Holder['proof'], string>> = {
  dns: 'by the proof of its domain',
  'well-known': 'by the proof of its domain',
  endpoint: 'by the text at its endpoint, which still stands there',
  hosted: 'as its host',
};

export function listingHeld(id: string, { keyId, proof }: Holder, field = 'body.agentId'): never {
  const way =
    proof === 'hosted'
      ? 'Only its holder can give a hosted listing up.'
      : 'Prove the domain that it is served from with your key: POST /api/v1/passport/verify.';
  return refuse('listing-held', {
    error: `The listing ${id} is held by ${keyId}, ${HELD_BY[proof]}.`,
    hint: `${way} GET /api/v1/agents/${id}/claim has the steps.`,
    field,
  });
}
