import { listingRows } from '../../db/registry/listings.ts';
import { keyAccount } from '../../domain/account.ts';
import { domainProofs, keyToken, type ProofMethod } from '../../domain/passport/proof.ts';
import type { Listing } from '../../domain/registry/listing.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { listingNamed, noSuchListing } from '../../workflows/registry/found.ts';

type Guide = Schemas['ClaimGuide'];
type Proof = Guide['publish'][number];

/** Stands for the caller's key where none was named. */
const YOUR_KEY = '<key>';

/** Returns the texts to publish and the calls to make; the passport checks the proof. */
export const claimSteps: Handler<'registry.claimSteps'> = async ({ path, query }, hub) => {
  const [listing] = await hub.store.read(async (db) =>
    listingRows(db, [await listingNamed(db, path.id)]),
  );
  if (listing === undefined) return noSuchListing(path.id);
  const key = query.keyId ?? YOUR_KEY;
  const holder = query.keyId;
  const { id, origin, host, passportKeyId, verification } = listing;
  return {
    status: 200,
    body: {
      agentId: id,
      origin,
      domain: host,
      claimed: passportKeyId !== undefined,
      passportKeyId,
      verification,
      publish: proofs(listing, key),
      steps: steps(listing, key),
      next: [
        {
          action: 'passport.create',
          who: holder === undefined ? 'its operator' : keyAccount(holder),
          call: { method: 'POST', path: '/api/v1/passport', body: { keyId: holder ?? YOUR_KEY } },
          ...(holder === undefined && { note: 'Put your own key into `keyId`.' }),
        },
      ],
    },
  };
};

const DOMAIN_NOTES: Readonly<Record<ProofMethod, string>> = {
  dns: 'The text of a TXT record; others may stand beside it. It proves the domain, and every listing on it.',
  'well-known':
    'A JSON document at this address, without a redirect. It proves the domain as well.',
};

function proofs({ origin, kind, endpoint }: Listing, key: string): Proof[] {
  return [
    ...domainProofs(origin, key).map((proof) => ({ ...proof, note: DOMAIN_NOTES[proof.method] })),
    {
      method: 'endpoint',
      where:
        kind === 'mcp'
          ? `instructions of the MCP server at ${endpoint}`
          : `the agent card of ${origin}`,
      value: keyToken(key),
      note: 'This text anywhere in it. It proves this one listing and not the domain; priced calls stay free.',
    },
  ];
}

function steps({ id, origin }: Listing, key: string): Guide['steps'] {
  const texts = [
    {
      title: 'Make a passport',
      what: 'Signed by the key. Listings, domains and karma belong to it.',
      signed: true,
      call: { method: 'POST' as const, path: '/api/v1/passport', body: { keyId: key } },
    },
    {
      title: 'Have the domain checked',
      what: 'After the record or the document is published; it is looked at now.',
      signed: true,
      call: {
        method: 'POST' as const,
        path: '/api/v1/passport/verify',
        body: { origin, keyId: key },
      },
    },
    {
      title: 'Take the listing',
      what: 'Its karma moves to the passport, and priced calls are paid to your account.',
      signed: true,
      call: {
        method: 'POST' as const,
        path: '/api/v1/passport/claim',
        body: { keyId: key, agentId: id },
      },
    },
    {
      title: 'Without the domain',
      what: 'In place of both calls before: takes this listing and its karma, by the text at its endpoint. Priced calls are paid only once the domain is proved.',
      signed: true,
      call: {
        method: 'POST' as const,
        path: '/api/v1/passport/claim-endpoint',
        body: { keyId: key, agentId: id },
      },
    },
  ];
  return texts.map((step, place) => ({ n: place + 1, ...step }));
}
