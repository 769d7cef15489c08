import { proposalsOf } from '../../db/registry/crawlProposals.ts';
import { listingRows } from '../../db/registry/listings.ts';
import { hostListings, listingAtEndpoint } from '../../db/registry/origins.ts';
import { readTarget } from '../../db/registry/targets.ts';
import type { Reader } from '../../db/store.ts';
import { diagnose } from '../../domain/registry/diagnosis.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { addressOf, type Address } from '../../workflows/registry/address.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';
import { presentKnownFrom, presentProbe, presentSummary } from './present/submission.ts';

const OTHERS_MAX = 20;

/** Why an address is found or not, from what is stored; nothing is called. */
export const diagnosis: Handler<'registry.diagnosis'> = async ({ query }, hub) => {
  const address = addressOf(hub, query.url, 'query.url');
  const { url, origin } = address;
  const { target, feeds, listing, others } = await hub.store.read((db) => factsOf(db, address));
  const { verdict, checks } = diagnose({ url, target, feeds: feeds.length, listing, others });
  const submit = { method: 'POST', path: '/api/v1/agents', body: { url } } as const;
  const { baseUrl } = hub.settings;
  return {
    status: 200,
    body: {
      url,
      origin,
      verdict,
      checks,
      feeds: feeds.map(presentKnownFrom),
      submissions: target?.submissions ?? 0,
      ...(listing !== undefined && {
        listing: presentSummary(listing),
        badge: `${baseUrl}/badge/${listing.id}.svg`,
      }),
      probes: (target?.report?.probes ?? []).map(presentProbe),
      ...(target?.lastLookAt !== undefined && { lastLookAt: target.lastLookAt }),
      nextLookAt: target?.nextLookAt,
      ...UNTRUSTED_LISTINGS,
      next: [{ action: 'registry.submit', who: 'anyone', call: submit }],
    },
  };
};

async function factsOf(db: Reader, { url, origin, host }: Address) {
  const target = await readTarget(db, origin);
  const feeds = await proposalsOf(db, origin);
  const { listings } = await hostListings(db, host, OTHERS_MAX);
  const isBare = new URL(url).pathname === '/';
  const best = isBare ? listings[0]?.id : undefined;
  const code = (await listingAtEndpoint(db, url)) ?? best;
  const [listing] = await listingRows(db, code === undefined ? [] : [code]);
  const others = listings.filter(({ id }) => id !== code).map(({ endpoint }) => endpoint);
  return { target, feeds, listing, others };
}
